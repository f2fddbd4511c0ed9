//! Measures the time and peak memory of a scan of many small files. `scan_bench DIR` scans; `scan_bench DIR COUNT`
//! first creates COUNT files there, of which one in ten is a copy of another.

use deputy_organize::scan::{Watch, scan};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("usage: scan_bench DIR [COUNT]")?);
    if let Some(count) = args.next() {
        return Ok(make(&folder, count.parse()?)?);
    }
    let watch = Watch { passes_by: &|_| false, is_cancelled: &|| false, progress: &|_| {} };
    let started = Instant::now();
    let found = scan(&[folder], &watch)?;
    let elapsed = started.elapsed();
    let copies: usize = found.duplicates.iter().map(Vec::len).sum();
    println!(
        "{{\"files\": {}, \"folders\": {}, \"in_duplicates\": {copies}, \"secs\": {:.3}, \"peak_kib\": {}}}",
        found.files.len(),
        found.folders.len(),
        elapsed.as_secs_f64(),
        peak_kib()
    );
    Ok(())
}

/// Creates small files of many sizes and kinds, a hundred per folder.
fn make(folder: &Path, count: usize) -> std::io::Result<()> {
    const ENDINGS: [&str; 8] = ["txt", "pdf", "jpg", "csv", "md", "zip", "json", "docx"];
    for index in 0..count {
        let place = folder.join(format!("folder {:04}", index / 100));
        if index % 100 == 0 {
            std::fs::create_dir_all(&place)?;
        }
        // One in ten has the same content as its neighbor.
        let seed = if index % 10 == 9 { index - 1 } else { index };
        let size = 200 + (seed * 7_919) % 6_000;
        let line = format!("content of file {seed}\n");
        let content: String = line.chars().cycle().take(size).collect();
        std::fs::write(place.join(format!("file {index}.{}", ENDINGS[index % 8])), content)?;
    }
    Ok(())
}

/// Returns the peak memory of this process, in KiB.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
