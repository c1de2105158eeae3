//! A small HTTP client that shows what really came over the wire.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// An answer as it arrived.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Names in lowercase.
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// Shorter than announced.
    pub is_cut: bool,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The JSON of an answer that went well.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()
    }

    /// Asserts an error envelope, and returns its details.
    pub fn refused(&self, status: u16, error_type: &str) -> String {
        assert_eq!((self.status, self.json()["errorType"].as_str()), (status, Some(error_type)), "{}", self.body);
        self.json()["details"].as_str().unwrap().to_owned()
    }
}

/// Sends one request; none when the connection was closed without an answer.
pub fn request(url: &str, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Option<Answer> {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut text = format!("{method} {target} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    stream.write_all(format!("{text}\r\n{body}").as_bytes()).unwrap();
    let mut received = Vec::new();
    let _reset_by_peer = stream.read_to_end(&mut received);
    let received = String::from_utf8(received).unwrap();
    let (head, body) = received.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let announced = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let is_cut = method != "HEAD" && announced.is_some_and(|announced: usize| announced > body.len());
    Some(Answer { status, headers, body: body.to_owned(), is_cut })
}

/// Whether a request is still without a first byte of an answer after a while.
pub fn is_unanswered(url: &str, target: &str) -> bool {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    stream.write_all(format!("GET {target} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).unwrap();
    let read = stream.read(&mut [0]);
    read.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut))
}

/// Sends a request and closes the connection, without waiting for an answer.
pub fn send_and_leave(url: &str, target: &str, body: &str) {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let head = format!("POST {target} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all((head + body).as_bytes()).unwrap();
    // Any answer is dropped, but not before the request was read.
    std::thread::sleep(Duration::from_millis(50));
}

/// Whether the connection of a request is reset, not closed.
pub fn is_reset_by_peer(url: &str, target: &str) -> bool {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(format!("GET {target} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).unwrap();
    stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::ConnectionReset)
}
