//! A server and clients that share no state, over UDP sockets, with loss and delay between them.

mod wire {
    mod game;
    mod hostile;
    mod relay;
    mod walks;
}
