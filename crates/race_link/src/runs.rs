//! Tables as text: equal numbers in a row are written once, with their count.

/// Returns numbers as text: `1x3.0` is 1, 1, 1, 0.
pub(crate) fn written(numbers: impl IntoIterator<Item = u32>) -> String {
    let numbers: Vec<u32> = numbers.into_iter().collect();
    let runs = numbers.chunk_by(u32::eq).map(|run| match run {
        [number] => number.to_string(),
        _ => format!("{}x{}", run[0], run.len()),
    });
    runs.collect::<Vec<String>>().join(".")
}

/// Reads `count` numbers of at most `most`, or returns the fault.
pub(crate) fn read(text: &str, count: usize, most: u32) -> Result<Vec<u32>, String> {
    let mut numbers = Vec::new();
    for run in text.split('.') {
        let (number, times) = run.split_once('x').unwrap_or((run, "1"));
        let number = number.parse().ok().filter(|&number: &u32| number <= most);
        let times = times.parse().ok().filter(|&times: &usize| times > 0);
        let (Some(number), Some(times)) = (number, times) else {
            return Err(format!(
                "`{run}` is not a number from 0 to {most}, or one with its count, such as 1x40"
            ));
        };
        if times > count - numbers.len() {
            return Err(format!("there are more than {count} numbers"));
        }
        numbers.resize(numbers.len() + times, number);
    }
    if numbers.len() < count {
        return Err(format!("there are {} numbers instead of {count}", numbers.len()));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_are_written_once() {
        assert_eq!(written([1, 1, 1, 0, 255, 255]), "1x3.0.255x2");
        assert_eq!(read("1x3.0.255x2", 6, 255), Ok(vec![1, 1, 1, 0, 255, 255]));
        assert_eq!(written([]), "");
    }

    #[test]
    fn every_fault_is_reported() {
        for (text, said) in [
            ("", "`` is not a number from 0 to 255"),
            ("1x3", "3 numbers instead of 4"),
            ("1x5", "more than 4"),
            ("1x99999999999999999999", "is not a number"),
            ("256x4", "is not a number from 0 to 255"),
            ("1x0.1x4", "is not a number"),
            ("1x4.", "`` is not a number"),
            ("-1x4", "is not a number"),
        ] {
            let fault = read(text, 4, 255).unwrap_err();
            assert!(fault.contains(said), "{text}: {fault}");
        }
    }
}
