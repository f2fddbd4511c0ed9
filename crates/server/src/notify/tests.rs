//! Tests of notices with a real journal and a real host, a clock that the test controls, and a channel that can fail.

use super::*;
use crate::test_world::World;
use deputy_testkit::FakeClock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The notices that a person saw, and whether the channel is cut.
#[derive(Clone, Default)]
struct Screen {
    seen: Arc<Mutex<Vec<(String, bool)>>>,
    is_cut: Arc<AtomicBool>,
}

#[async_trait]
impl Channel for Screen {
    fn name(&self) -> &'static str {
        "the test's screen"
    }

    async fn show(&self, notice: &Notice) -> Result<(), String> {
        if self.is_cut.load(Ordering::SeqCst) {
            return Err("cut".to_owned());
        }
        self.seen.lock().unwrap().push((notice.text.clone(), notice.withdrawn));
        Ok(())
    }
}

impl Screen {
    fn take(&self) -> Vec<(String, bool)> {
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

fn told(text: &str) -> (String, bool) {
    (text.to_owned(), false)
}

fn taken_back(text: &str) -> (String, bool) {
    (text.to_owned(), true)
}

/// Returns quiet hours from an hour before to an hour after the clock's time, in the local time zone.
fn quiet_around(clock: &FakeClock) -> Quiet {
    let at = |hours: i64| {
        let time = jiff::Timestamp::from_millisecond(clock.now_ms() + hours * 3_600_000).unwrap();
        time.to_zoned(jiff::tz::TimeZone::system()).strftime("%H:%M").to_string()
    };
    format!("{}-{}", at(-1), at(1)).parse().unwrap()
}

fn notifier(world: &World, screens: &[&Screen], quiet: Option<Quiet>) -> Notifier {
    let channels = screens.iter().map(|screen| -> Box<dyn Channel> { Box::new((*screen).clone()) });
    Notifier::over(world.mirror(), channels.collect(), quiet)
}

#[tokio::test]
async fn what_waits_is_told_after_the_night() {
    let (world, screen) = (World::new().await, Screen::default());
    let mut notifier = notifier(&world, &[&screen], Some(quiet_around(&world.clock)));
    world.ask("1", "first").await;
    world.ask("2", "second").await;
    notifier.tell_due(false).await;
    world.say_no("1").await;
    notifier.tell_due(false).await;
    assert_eq!(screen.take(), [], "nobody is disturbed, and what is over by then is not told at all");
    world.clock.advance(Duration::from_secs(2 * 3_600));
    notifier.tell_due(true).await;
    notifier.tell_due(true).await;
    assert_eq!(screen.take(), [told("second")]);
    notifier.write_down().await;
    notifier.tell_due(true).await;
    assert_eq!(screen.take(), []);
}

#[tokio::test]
async fn nothing_is_lost_by_a_crash_and_nothing_told_twice_after_an_orderly_end() {
    let screen = Screen::default();
    let mut world = World::new().await;
    world.ask("1", "first").await;
    // No notice was sent before the crash.
    world = world.restart();
    let mut one = notifier(&world, &[&screen], None);
    one.tell_due(true).await;
    assert_eq!(screen.take(), [told("first")]);
    // The crash comes before that was recorded.
    drop(one);
    world = world.restart();
    let mut two = notifier(&world, &[&screen], None);
    two.tell_due(true).await;
    assert_eq!(screen.take(), [told("first")], "again, since nobody knows");
    two.write_down().await;
    drop(two);
    world = world.restart();
    let mut three = notifier(&world, &[&screen], None);
    three.tell_due(true).await;
    assert_eq!(screen.take(), []);
    // Answered while no process sends notices: withdrawn by the next process.
    world.say_no("1").await;
    world.stop("all done").await;
    drop(three);
    world = world.restart();
    let mut four = notifier(&world, &[&screen], None);
    four.tell_due(true).await;
    assert_eq!(screen.take(), [taken_back("first"), told("Done: all done")]);
    four.write_down().await;
    assert!(world.host.store().due_notices().unwrap().is_empty());
}

#[tokio::test]
async fn a_way_that_was_cut_is_tried_again_and_the_others_are_not() {
    let (world, good, cut) = (World::new().await, Screen::default(), Screen::default());
    cut.is_cut.store(true, Ordering::SeqCst);
    let mut notifier = notifier(&world, &[&good, &cut], None);
    world.ask("1", "first").await;
    notifier.tell_due(false).await;
    notifier.tell_due(false).await;
    notifier.tell_due(true).await;
    assert_eq!((good.take(), cut.take()), (vec![told("first")], vec![]));
    cut.is_cut.store(false, Ordering::SeqCst);
    notifier.tell_due(true).await;
    notifier.tell_due(true).await;
    assert_eq!((good.take(), cut.take()), (vec![], vec![told("first")]));
    world.say_no("1").await;
    notifier.tell_due(false).await;
    assert_eq!((good.take(), cut.take()), (vec![taken_back("first")], vec![taken_back("first")]));
}

#[tokio::test]
async fn old_ends_are_no_news_and_lines_show_no_secrets() {
    let (world, screen) = (World::new().await, Screen::default());
    let mut notifier = notifier(&world, &[&screen], None);
    let token = format!("ghp_{}", "a1B2".repeat(9));
    world.ask("1", &format!("Run `curl -H 'Authorization: Bearer {token}'`\nand more")).await;
    notifier.tell_due(false).await;
    let seen = screen.take();
    assert!(seen.len() == 1 && !seen[0].0.contains("a1B2") && !seen[0].0.contains("more"), "{seen:?}");
    notifier.write_down().await;
    world.stop("over").await;
    world.clock.advance(Duration::from_secs(25 * 3_600));
    notifier.tell_due(true).await;
    assert_eq!(screen.take().len(), 1, "the request is taken back, and the end is old");
    notifier.write_down().await;
    assert!(world.host.store().due_notices().unwrap().is_empty());
}
