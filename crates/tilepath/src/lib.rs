//! tilepath
