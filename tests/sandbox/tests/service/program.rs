//! The program: how it starts, serves the page, and ends.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::client::request;
use crate::started::{command, ready_line};

fn ended(process: &mut Child) -> std::process::ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = process.try_wait().unwrap() {
            return status;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "the program is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Processes whose parent is `process`.
fn children(process: &Child) -> Vec<String> {
    let own = process.id().to_string();
    parents().into_iter().filter(|(parent, _)| *parent == own).map(|(_, child)| child).collect()
}

/// (parent, process) of every process. `ps` is not there on every Linux; /proc is.
fn parents() -> Vec<(String, String)> {
    if let Ok(processes) = std::fs::read_dir("/proc") {
        let stats = processes.filter_map(|process| std::fs::read_to_string(process.ok()?.path().join("stat")).ok());
        // `12 (name) S 3 ...`, and a name may hold blanks and brackets.
        let pair = |stat: String| {
            let (head, tail) = stat.rsplit_once(") ")?;
            Some((tail.split(' ').nth(1)?.to_owned(), head.split(' ').next()?.to_owned()))
        };
        return stats.filter_map(pair).collect();
    }
    let listed = Command::new("ps").args(["-A", "-o", "ppid=,pid="]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let pairs = listed.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
    pairs.map(|(parent, child)| (parent.to_owned(), child.trim().to_owned())).collect()
}

/// Sends a signal, by the shell's own `kill`; whether there was such a process.
fn signal(name: &str, process: &str) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("kill -{name} {process}")]).stderr(Stdio::null()).status().unwrap().success()
}

fn is_alive(process: &str) -> bool {
    signal("0", process)
}

fn run(command: &mut Command) -> Output {
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Open until the program has ended: its end would be a reason to end, too.
    let _input = process.stdin.take();
    process.wait_with_output().unwrap()
}

#[test]
fn it_stops_with_its_nodes_when_standard_input_closes() {
    let mut process = command(&[]).spawn().unwrap();
    let ready = ready_line(&mut process);
    assert_eq!((&ready["ready"], &ready["chains"]), (&serde_json::json!(true), &serde_json::json!([31337, 31338])));
    let nodes = children(&process);
    assert_eq!(nodes.len(), 2);
    assert!(nodes.iter().all(|node| is_alive(node)));
    drop(process.stdin.take());
    assert!(ended(&mut process).success());
    assert!(!nodes.iter().any(|node| is_alive(node)));
}

#[test]
fn it_stops_with_its_nodes_on_a_signal() {
    for name in ["TERM", "INT"] {
        // As in the background of a shell: that this input is at its end means nothing.
        let mut process = command(&[]).stdin(Stdio::null()).spawn().unwrap();
        ready_line(&mut process);
        let nodes = children(&process);
        assert_eq!(nodes.len(), 2);
        assert!(signal(name, &process.id().to_string()));
        assert!(ended(&mut process).success());
        assert!(!nodes.iter().any(|node| is_alive(node)));
    }
}

#[test]
fn it_stops_with_a_sentence_when_a_node_stops() {
    let mut process = command(&[]).stderr(Stdio::piped()).spawn().unwrap();
    ready_line(&mut process);
    let nodes = children(&process);
    assert!(signal("TERM", &nodes[0]));
    assert!(!ended(&mut process).success());
    assert!(!is_alive(&nodes[1]));
    let output = process.wait_with_output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("the node of chain 3133"));
}

#[test]
fn a_reset_leaves_the_delays_of_the_start() {
    let mut process = command(&[]).args(["--delay", "1,2"]).spawn().unwrap();
    let ready = ready_line(&mut process);
    let post = |path: &str| request(ready["url"].as_str().unwrap(), "POST", path, &[], "{}").unwrap().ok();
    post("/sandbox/reset");
    let settings = post("/sandbox/settings");
    assert_eq!((&settings["serviceDelayMs"], &settings["nodeDelayMs"]), (&1.into(), &2.into()));
}

#[test]
fn wrong_arguments_and_missing_files_end_it_with_one_sentence() {
    let program = env!("CARGO_BIN_EXE_sandbox");
    let cases: [(&[&str], &str); 6] = [
        (&["--anvil", "x"], "--artifacts is missing"),
        (&["--nonsense"], "unknown argument --nonsense"),
        (&["--port"], "--port needs a value"),
        (&["--delay", "200"], "--delay 200 is not two numbers"),
        (&["--anvil", "/nowhere/anvil", "--artifacts", "/nowhere"], "cannot start the node /nowhere/anvil"),
        (&["--anvil", "x", "--artifacts", "y", "--static", "/nowhere"], "--static /nowhere is not a folder"),
    ];
    for (arguments, sentence) in cases {
        let output = run(Command::new(program).args(arguments));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(sentence) && said.lines().count() == 1, "{said}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = run(command(&[]).args(["--port", &port]));
    assert!(String::from_utf8(output.stderr).unwrap().contains(&format!("cannot listen on port {port}")));
    let output = run(command(&[]).args(["--artifacts", "/nowhere"]));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot read the compiled contract /nowhere/"));
}

#[test]
fn the_page_is_served_with_its_policy_and_nothing_beside_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages/inside");
    std::fs::create_dir_all(folder.join("assets")).unwrap();
    std::fs::write(folder.join("../secret.txt"), "secret").unwrap();
    std::fs::write(folder.join("index.html"), "<p>page</p>").unwrap();
    for (name, content) in [("app.js", "1"), ("app.wasm", "\0asm"), ("icon.svg", "<svg/>"), ("style.css", "p{}")] {
        std::fs::write(folder.join("assets").join(name), content).unwrap();
    }
    let mut process = command(&["--static", folder.to_str().unwrap()]).spawn().unwrap();
    let ready = ready_line(&mut process);
    let url = ready["url"].as_str().unwrap();
    let get = |path: &str| request(url, "GET", path, &[], "").unwrap();
    for (path, content_type) in [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/assets/app.js?v=1", "text/javascript; charset=utf-8"),
        ("/assets/app.wasm", "application/wasm"),
        ("/assets/icon.svg", "image/svg+xml"),
        ("/assets/style%2ecss", "text/css; charset=utf-8"),
    ] {
        let answer = get(path);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(content_type)), "{path}");
        assert_eq!(
            answer.header("content-security-policy").unwrap(),
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; \
             img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    assert_eq!(get("/").body, "<p>page</p>");
    assert_eq!(get("/").header("cache-control"), Some("no-cache"));
    assert_eq!(get("/assets/app.js").header("cache-control"), Some("public, max-age=31536000, immutable"));
    std::fs::write(folder.join("assets/app.js.br"), "packed").unwrap();
    for (encodings, body, encoding) in
        [("gzip, br", "packed", Some("br")), ("gzip, brx", "1", None), ("", "1", None), ("br", "packed", Some("br"))]
    {
        let headers = [("accept-encoding", encodings)];
        let answer = request(url, "GET", "/assets/app.js", &headers, "").unwrap();
        assert_eq!((answer.body.as_str(), answer.header("content-encoding")), (body, encoding), "{encodings}");
        assert_eq!(answer.header("content-type"), Some("text/javascript; charset=utf-8"));
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
    }
    std::os::unix::fs::symlink(folder.join("../secret.txt"), folder.join("link.txt")).ok();
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
        "/..%5csecret.txt",
        "//secret.txt",
        "/link.txt",
        "/assets",
        "/nothing",
        "/%zz",
    ] {
        let answer = get(path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
    }
    assert_eq!(request(url, "POST", "/", &[], "").unwrap().status, 405);
    let head = request(url, "HEAD", "/", &[], "").unwrap();
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    drop(process.stdin.take());
    assert!(ended(&mut process).success());
}
