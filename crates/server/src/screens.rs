//! The threads that speak with screens: a runtime of their own, behind the work. However many look on, a task's next step
//! neither queues behind their messages nor waits for a processor that they hold.

use std::thread::available_parallelism;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::task::AbortOnDropHandle;

/// So much nicer than the rest of the program these threads are: a tenth of the weight where both want a processor.
const NICER: i32 = 10;
/// More threads than this would only wake each other: what a message costs is the system's write.
const MOST_THREADS: usize = 4;

/// Where screens are spoken with, and where what they ask for is worked out.
#[derive(Debug)]
pub(crate) struct Screens {
    /// There until it is dropped.
    runtime: Option<Runtime>,
    /// Threads of the screens.
    speaking: Handle,
    /// The runtime of the host.
    working: Handle,
}

impl Screens {
    /// Starts the threads, alongside the runtime of the caller, which is the host's.
    pub(crate) fn start() -> std::io::Result<Self> {
        let threads = available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("deputy-screens")
            .on_thread_start(|| {
                // On Linux this is the calling thread's alone. Where it cannot be had screens are merely as urgent as work.
                let _ = rustix::process::nice(NICER);
            })
            .enable_all()
            .build()?;
        Ok(Self { speaking: runtime.handle().clone(), runtime: Some(runtime), working: Handle::current() })
    }

    /// Starts something on the screens' threads; what it spawns runs there too.
    pub(crate) fn spawn(&self, speaking: impl Future<Output = ()> + Send + 'static) {
        self.speaking.spawn(speaking);
    }

    /// Does something on the screens' threads, and ends it where the caller no longer waits.
    pub(crate) async fn speak<T: Send + 'static>(
        &self,
        speaking: impl Future<Output = T> + Send + 'static,
    ) -> T {
        done(AbortOnDropHandle::new(self.speaking.spawn(speaking)).await).await
    }

    /// Does on the host's threads what a screen has asked for, also where nobody waits for it any more. Whatever a task is
    /// made of, drivers and child processes too, starts from there and has the host's priority.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        working: impl Future<Output = T> + Send + 'static,
    ) -> T {
        done(self.working.spawn(working).await).await
    }
}

impl Drop for Screens {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Without waiting: the last one who drops it may be one of its own threads.
            runtime.shutdown_background();
        }
    }
}

/// What came of it; a panic continues where it is waited for.
async fn done<T>(joined: Result<T, tokio::task::JoinError>) -> T {
    match joined {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Its runtime ends, and with it the whole process.
            Err(_) => std::future::pending().await,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpriority_process;

    /// The priority and the name of the thread that this runs on.
    async fn thread() -> (i32, String) {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        (getpriority_process(None).unwrap(), name)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn screens_are_behind_the_work_and_what_they_ask_for_is_not() {
        let (own, _) = tokio::spawn(thread()).await.unwrap();
        let screens = std::sync::Arc::new(Screens::start().unwrap());
        let (speaking, name) = screens.speak(thread()).await;
        assert_eq!((speaking, name.as_str()), ((own + NICER).min(19), "deputy-screens"));
        let asking = screens.clone();
        let (working, name) = screens.speak(async move { asking.work(thread()).await }).await;
        assert_eq!(working, own, "{name}");
        let within = screens.speak(async { tokio::spawn(thread()).await.unwrap() }).await;
        assert_eq!(within.0, speaking);
    }

    #[tokio::test]
    async fn the_last_of_its_own_threads_may_drop_it() {
        let screens = std::sync::Arc::new(Screens::start().unwrap());
        let (told, hearing) = tokio::sync::oneshot::channel();
        let own = screens.clone();
        let (go, gone) = tokio::sync::oneshot::channel::<()>();
        screens.spawn(async move {
            let _ = gone.await;
            drop(own);
            let _ = told.send(());
        });
        drop(screens);
        go.send(()).unwrap();
        hearing.await.unwrap();
    }
}
