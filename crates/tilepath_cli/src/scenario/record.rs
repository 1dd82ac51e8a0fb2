//! The rows of `--csv`.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, Write};
use tilepath::format::ScenarioRow;

/// One query and its result. Unknown fields are empty.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct Record {
    bucket: u32,
    sx: u32,
    sy: u32,
    gx: u32,
    gy: u32,
    /// The length in the file, with its decimals.
    optimal: String,
    /// The length of the path: straight steps + √2 · diagonal steps.
    pub(crate) length: Option<f64>,
    /// The cost, in units of the steps.
    pub(crate) cost: Option<u32>,
    /// The number of expanded cells.
    pub(crate) expanded: Option<u64>,
    /// The time of the query.
    pub(crate) nanoseconds: Option<u64>,
    /// The status.
    pub(crate) status: &'static str,
}

impl Record {
    /// Makes the record of a query that has not run.
    pub(crate) fn of(row: &ScenarioRow) -> Self {
        Self {
            bucket: row.bucket,
            sx: row.start.0,
            sy: row.start.1,
            gx: row.goal.0,
            gy: row.goal.1,
            optimal: format!("{:.*}", usize::from(row.decimals), row.optimal),
            length: None,
            cost: None,
            expanded: None,
            nanoseconds: None,
            status: "",
        }
    }

    /// Returns whether the query did not run because its start or goal is closed.
    pub(crate) fn is_closed(&self) -> bool {
        matches!(self.status, START_BLOCKED | GOAL_BLOCKED)
    }
}

/// The status of a query whose start is closed.
pub(crate) const START_BLOCKED: &str = "start-blocked";
/// The status of a query whose goal is closed.
pub(crate) const GOAL_BLOCKED: &str = "goal-blocked";

const HEADER: [&str; 11] =
    ["bucket", "sx", "sy", "gx", "gy", "optimal", "length", "cost", "expanded", "nanoseconds", "status"];

/// A writer of rows. Each row is written at once.
pub(crate) struct Records<Output: Write> {
    writer: csv::Writer<Output>,
}

impl<Output: Write> Records<Output> {
    /// Writes the header.
    pub(crate) fn begin(output: Output) -> Result<Self, Failure> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(output);
        writer.write_record(HEADER).map_err(output_error)?;
        Ok(Self { writer })
    }

    /// Writes a row.
    pub(crate) fn push(&mut self, record: &Record) -> Result<(), Failure> {
        self.writer.serialize(record).map_err(output_error)?;
        self.writer.flush()?;
        Ok(())
    }
}

/// Returns the error of standard output itself, so that a closed pipe can be recognised.
fn output_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{GOAL_BLOCKED, Record, Records};
    use tilepath::format;

    #[test]
    fn unknown_fields_are_empty() {
        let rows = format::parse_scenario("version 1\n3 a.map 9 9 1 2 3 4 2.80\n").unwrap();
        let mut record = Record::of(&rows[0]);
        let mut output = Vec::new();
        let mut records = Records::begin(&mut output).unwrap();
        record.status = GOAL_BLOCKED;
        records.push(&record).unwrap();
        record.status = "found";
        record.length = Some(2.828_427_124_746_190_3);
        record.cost = Some(198);
        record.expanded = Some(3);
        record.nanoseconds = Some(1_234);
        records.push(&record).unwrap();
        drop(records);
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "bucket,sx,sy,gx,gy,optimal,length,cost,expanded,nanoseconds,status\n\
             3,1,2,3,4,2.80,,,,,goal-blocked\n\
             3,1,2,3,4,2.80,2.8284271247461903,198,3,1234,found\n"
        );
    }
}
