//! Compares the policy's decisions with the real programs, under a system-call trace and without walls: an allowed
//! command starts only what was judged, writes nothing, and neither opens nor prints a secret. `DEPUTY_FUZZ_SECONDS`
//! is the run time for each program, in place of a fixed number of commands. `SEED` repeats a run.

// Lists of pieces. The formatter would make them unreadable with a line per piece.
#[cfg(test)]
#[rustfmt::skip]
mod grammars;
#[cfg(test)]
mod random;
#[cfg(test)]
mod traced;
#[cfg(test)]
mod world;

#[cfg(test)]
mod fuzz {
    use crate::grammars::{self, Grammar};
    use crate::random::Random;
    use crate::traced;
    use crate::world::World;
    use deputy_protocol::Decision;
    use std::time::{Duration, Instant};

    /// The number of commands of each program that are traced if no time is given.
    const COUNT: usize = 60;
    /// The maximum number of texts generated for each traced command. Some grammars are mostly refused.
    const MOST_TRIED: usize = 400;

    fn fuzz(grammar: &Grammar) {
        if !World::has(grammar.program) {
            return println!("{} is not installed", grammar.program);
        }
        println!("{}", grammar.program);
        let seed = deputy_testkit::seed();
        let mut random = Random::new(seed);
        let seconds = std::env::var("DEPUTY_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
        let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let (mut tried, mut allowed, mut harms) = (0, 0, Vec::new());
        let mut world = World::new(grammar, &mut random);
        while until.map_or(allowed < COUNT && tried < COUNT * MOST_TRIED, |until| Instant::now() < until) {
            if tried % grammar.texts_in_a_world == grammar.texts_in_a_world - 1 {
                world = World::new(grammar, &mut random);
            }
            tried += 1;
            let text = (grammar.text)(&mut random, &world);
            let ruling = world.decide(&text);
            if ruling.verdict.decision != Decision::Allow {
                continue;
            }
            allowed += 1;
            let found = traced::harms(&world, &ruling);
            harms.extend(found.into_iter().map(|harm| format!("{text:?}: {harm}\n  {}", world.described)));
        }
        println!(
            "figure: {}: {allowed} of {tried} texts allowed and traced, {} harms",
            grammar.program,
            harms.len()
        );
        assert!(harms.is_empty(), "SEED={seed}\n{}", harms.join("\n"));
        assert!(allowed > 0, "SEED={seed}: none of {tried} texts is allowed");
    }

    /// A command that does everything, so that a trace that sees nothing is not mistaken for a clean one.
    #[test]
    fn the_trace_sees_what_it_is_there_to_see() {
        let mut random = Random::new(1);
        let world = World::new(&grammars::SED, &mut random);
        let mut ruling = world.decide("cat a.txt");
        assert_eq!(traced::harms(&world, &ruling), Vec::<String>::new());
        let harmful = "cat .env; ./evil.sh; echo x > out; rm -f out";
        ruling.execution = Some(deputy_policy::Execution::Bash(harmful.to_owned()));
        let harms = traced::harms(&world, &ruling).join("\n");
        for harm in ["printed", "opened", "started", "wrote"] {
            assert!(harms.contains(harm), "{harm} is missing: {harms}");
        }
    }

    #[test]
    fn sed() {
        fuzz(&grammars::SED);
    }

    #[test]
    fn awk() {
        fuzz(&grammars::AWK);
    }

    #[test]
    fn gawk() {
        fuzz(&grammars::GAWK);
    }

    #[test]
    fn jq() {
        fuzz(&grammars::JQ);
    }

    #[test]
    fn git() {
        fuzz(&grammars::GIT);
    }

    #[test]
    fn rg() {
        fuzz(&grammars::RG);
    }

    #[test]
    fn od() {
        fuzz(&grammars::OD);
    }

    #[test]
    fn sort() {
        fuzz(&grammars::SORT);
    }

    #[test]
    fn find() {
        fuzz(&grammars::FIND);
    }

    #[test]
    fn tar() {
        fuzz(&grammars::TAR);
    }

    #[test]
    fn sha256sum() {
        fuzz(&grammars::SUMS);
    }
}
