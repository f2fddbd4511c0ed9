//! temp
use crate::*;
use deputy_protocol::*;
#[derive(Clone,Debug)] pub struct Ruling { pub verdict: Verdict, pub grant: Option<GrantId>, pub execution: Option<Execution> }
pub fn decide(s:&Situation, f:&Facts)->Ruling{
  let mut parts=vec![]; let mut exec=None; let mut conf=Confinement::ReadOnly;
  for a in &f.accesses { match a {
    Access::Read(r)=>parts.push(path::judge(s,path::Operation::Read,&r.path)),
    Access::List(r)=>parts.push(path::judge(s,path::Operation::List,&r.path)),
    Access::Write(r)=>{parts.push(path::judge(s,path::Operation::Write,&r.path)); conf=Confinement::Workspace},
    Access::Shell(c)=>{ let ok=c.command.starts_with("echo") && !c.command.contains('>'); exec=Some(if ok {Execution::Argv(c.command.split(' ').map(|s|s.to_owned()).collect())} else {conf=Confinement::Workspace;Execution::Bash(c.command.clone())}); parts.push(Part{kind:PartKind::Command,text:c.command.clone(),decision: if ok {Decision::Allow} else {Decision::Ask},risk:Risk::Low,reason:"x".into()}) }
    _=>parts.push(Part{kind:PartKind::Command,text:"?".into(),decision:Decision::Ask,risk:Risk::Low,reason:"x".into()}) } }
  let decision=parts.iter().map(|p|p.decision).max().unwrap_or(Decision::Allow); let risk=parts.iter().map(|p|p.risk).max().unwrap_or(Risk::Low);
  Ruling{verdict:Verdict{decision,risk,reasons:parts.iter().map(|p|p.reason.clone()).collect(),confinement:conf,parts},grant:None,execution:exec}
}
pub fn offers(_:&Situation,_:&Facts,_:&Verdict,_:&Digest)->Vec<Offer>{vec![Offer{lifetime:Lifetime::Once(OnceLifetime{}),rule:None,label:"once".into()}]}
pub fn digest(tool:&str,p:&serde_json::Value,cwd:&std::path::Path,c:Confinement)->Digest{ Digest(blake3::hash(format!("{tool}{p}{cwd:?}{c:?}").as_bytes()).to_hex().to_string()) }
pub fn explain(_:&Situation,c:&str)->String{c.to_owned()}
