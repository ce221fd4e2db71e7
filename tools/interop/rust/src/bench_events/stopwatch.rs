//! CPU time of this thread, added up over the parts of a workload that are to be measured.

use cpu_time::ThreadTime;
use std::hint::black_box;
use std::time::Duration;

/// Empty parts that are timed to learn what the timing itself takes.
const CALIBRATION_PARTS: u32 = 10_000;

pub struct Stopwatch {
    spent: Duration,
    parts: u32,
    overhead: Duration,
}

impl Stopwatch {
    pub fn new() -> Self {
        let mut watch = Self {
            spent: Duration::ZERO,
            parts: 0,
            overhead: Duration::ZERO,
        };
        for _ in 0..CALIBRATION_PARTS {
            watch.time(|| ());
        }
        watch.overhead = watch.spent / CALIBRATION_PARTS;
        watch.reset();
        watch
    }

    /// Times one part.
    pub fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = ThreadTime::now();
        let result = black_box(work());
        self.spent += begun.elapsed();
        self.parts += 1;
        result
    }

    /// What the parts took since the last [`reset`](Self::reset).
    pub fn nanoseconds(&self) -> f64 {
        self.spent.saturating_sub(self.overhead * self.parts).as_nanos() as f64
    }

    pub fn reset(&mut self) {
        self.spent = Duration::ZERO;
        self.parts = 0;
    }
}
