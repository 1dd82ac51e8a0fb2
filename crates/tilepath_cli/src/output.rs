//! Standard output whose reader may leave.

use std::io::{self, ErrorKind, Write};

/// An output that drops all text after its reader has closed the pipe, as in
/// `tilepath scen … --csv | head`. The command runs on, so that its exit code is its verdict.
#[derive(Debug)]
pub(crate) struct Output<W> {
    inner: W,
    is_closed: bool,
}

impl<W: Write> Output<W> {
    /// Wraps an output.
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, is_closed: false }
    }

    /// Returns the result of writing, or a value in its place if the reader is gone.
    fn unless_closed<T>(&mut self, gone: T, write: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.is_closed {
            return Ok(gone);
        }
        match write(&mut self.inner) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(gone)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), Write::flush)
    }
}
