//! Tables on standard output, in Markdown.

use crate::measure::Figures;

pub(crate) fn print_head() {
    println!(
        "| scene | ms a tick: median | p99 | longest | CPU median | work a tick: median | most | walking | answers and replans | searches | work in all | ticks | MB |"
    );
    println!("|---|{}", "--:|".repeat(12));
}

pub(crate) fn print(scene: &str, figures: &Figures) {
    let Figures { median, p99, longest, cpu, work, most_work, walking, answers, searches, all_work, .. } =
        figures;
    let Figures { ticks, megabytes, .. } = figures;
    println!(
        "| {scene} | {median:.3} | {p99:.3} | {longest:.3} | {cpu:.3} | {work:.0} | {most_work:.0} | {walking:.0} | {answers:.0} | {searches:.0} | {all_work:.0} | {ticks:.0} | {megabytes:.0} |"
    );
}

pub(crate) fn print_pair_head() {
    println!(
        "| scene | median ms, this | other | this ÷ other: median | p99 | longest | CPU | work in all | answers | searches | ticks |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
}

pub(crate) fn print_pair(scene: &str, this: &Figures, other: &Figures) {
    println!(
        "| {scene} | {:.3} | {:.3} | {} | {} | {} | {} | {} | {} | {} | {} |",
        this.median,
        other.median,
        ratio(this.median, other.median),
        ratio(this.p99, other.p99),
        ratio(this.longest, other.longest),
        ratio(this.cpu, other.cpu),
        ratio(this.all_work, other.all_work),
        ratio(this.answers, other.answers),
        ratio(this.searches, other.searches),
        ratio(this.ticks, other.ticks)
    );
}

fn ratio(this: f64, other: f64) -> String {
    if this == other { "1".to_owned() } else { format!("{:.2}", this / other) }
}
