//! probe
use deputy_policy::*; use deputy_protocol::*; use std::time::Instant;
fn main() {
    let piece = std::env::args().nth(1).unwrap().replace("\\n", "\n");
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let text = piece.repeat(n / piece.len());
    let t = Instant::now();
    let mut p = tree_sitter::Parser::new(); p.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
    let mut steps = 0usize;
    let mut w = |_: &tree_sitter::ParseState| { steps += 1; if steps > 200_000 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) } };
    let b = text.as_bytes();
    let tree = p.parse_with_options(&mut |at, _| b.get(at..).unwrap_or_default(), None, Some(tree_sitter::ParseOptions::new().progress_callback(&mut w)));
    println!("{piece:?} parse {:?} steps {steps} tree {}", t.elapsed(), tree.is_some());
    drop(tree);
    println!("   dropped {:?}", t.elapsed());
    if std::env::args().nth(3).is_some() { return; }
    let home = std::env::temp_dir();
    let s = Situation { cwd: home.clone(), home: home.clone(), workspace: home.clone(), roots: vec![], env: Default::default(), deputy_home: home.join("d"), scope: Default::default(), allow_hosts: vec![], rules: std::sync::Arc::new(Rules::empty()), grants: vec![], task: None, session: None, now_ms: 0, walls: true };
    let t = Instant::now();
    let r = decide(&s, &Facts { effect: Effect::Mutating, accesses: vec![Access::Shell(ShellAccess { command: text })], summary: String::new(), diff: None });
    println!("   decide {:?} {:?} {}", t.elapsed(), r.verdict.decision, r.verdict.parts.len());
}
