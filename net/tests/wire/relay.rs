//! A relay between a client and its server, which loses and delays datagrams by ticks.

use std::{
    collections::VecDeque,
    io::ErrorKind,
    net::{SocketAddr, UdpSocket},
};

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use testkit::Seed;

/// The faults of the line between a client and its server.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    /// The part of the datagrams that are lost.
    pub(crate) loss: f64,
    /// The ticks that a datagram is under way, in each direction.
    pub(crate) delay: u64,
}

/// A datagram under way.
struct Datagram {
    due: u64,
    is_down: bool,
    bytes: Vec<u8>,
}

pub(crate) struct Relay {
    /// The socket that the client takes for the server.
    front: UdpSocket,
    back: UdpSocket,
    client: Option<SocketAddr>,
    line: Line,
    random: ChaCha8Rng,
    tick: u64,
    under_way: VecDeque<Datagram>,
    /// The bytes that the server has sent, as the content of datagrams.
    pub(crate) bytes_down: usize,
}

impl Relay {
    pub(crate) fn new(server: SocketAddr, line: Line, seed: &Seed) -> Self {
        let socket = || {
            let socket = UdpSocket::bind("127.0.0.1:0").expect("a port is free");
            socket.set_nonblocking(true).expect("the socket can be asked");
            socket
        };
        let (front, back) = (socket(), socket());
        back.connect(server).expect("the server has an address");
        let random = seed.generator();
        let under_way = VecDeque::new();
        Self { front, back, client: None, line, random, tick: 0, under_way, bytes_down: 0 }
    }

    /// Returns the address that the client takes for the server's.
    pub(crate) fn address(&self) -> SocketAddr {
        self.front.local_addr().expect("the socket is bound")
    }

    /// Begins the next tick.
    pub(crate) fn tick(&mut self) {
        self.tick += 1;
    }

    /// Takes what was sent, and passes on what is due.
    pub(crate) fn pass_on(&mut self) {
        let mut bytes = [0; 4096];
        while let Some((length, from)) = received(self.front.recv_from(&mut bytes)) {
            self.client = Some(from);
            self.take(&bytes[..length], false);
        }
        while let Some(length) = received(self.back.recv(&mut bytes)) {
            self.bytes_down += length;
            self.take(&bytes[..length], true);
        }
        while let Some(Datagram { is_down, bytes, .. }) =
            self.under_way.pop_front_if(|datagram| datagram.due <= self.tick)
        {
            let sent = match self.client {
                Some(client) if is_down => self.front.send_to(&bytes, client),
                _ => self.back.send(&bytes),
            };
            sent.expect("the socket takes the datagram");
        }
    }

    fn take(&mut self, bytes: &[u8], is_down: bool) {
        if !self.random.random_bool(self.line.loss) {
            let due = self.tick + self.line.delay;
            self.under_way.push_back(Datagram { due, is_down, bytes: bytes.to_vec() });
        }
    }
}

/// Returns what was received, or `None` if there is nothing.
fn received<T>(result: std::io::Result<T>) -> Option<T> {
    match result {
        Ok(received) => Some(received),
        // The peer may have closed its socket.
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::ConnectionRefused) => None,
        Err(error) => panic!("{error}"),
    }
}
