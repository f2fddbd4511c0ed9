//! The threads that communicate with clients: a separate runtime with lower priority. A task's next step neither queues
//! after client messages nor waits for a processor that they use, regardless of the number of clients.

use std::thread::available_parallelism;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::task::AbortOnDropHandle;

/// The nice value of these threads relative to the rest of the program: a tenth of the weight if both need a processor.
const NICER: i32 = 10;
/// The maximum number of threads. More would only wake each other: the cost of a message is the system's write.
const MOST_THREADS: usize = 4;

/// The runtime for clients, and the runtime for the work that they request.
#[derive(Debug)]
pub(crate) struct Screens {
    /// `Some` until it is dropped.
    runtime: Option<Runtime>,
    /// The runtime of the clients.
    speaking: Handle,
    /// The runtime of the host.
    working: Handle,
}

impl Screens {
    /// Starts the threads. The caller's runtime is used as the host's.
    pub(crate) fn start() -> std::io::Result<Self> {
        let threads = available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("deputy-screens")
            .on_thread_start(|| {
                // On Linux this only affects the calling thread. If it fails, clients have the same priority as work.
                let _ = rustix::process::nice(NICER);
            })
            .enable_all()
            .build()?;
        Ok(Self { speaking: runtime.handle().clone(), runtime: Some(runtime), working: Handle::current() })
    }

    /// Spawns a future on the client threads. What it spawns runs there too.
    pub(crate) fn spawn(&self, speaking: impl Future<Output = ()> + Send + 'static) {
        self.speaking.spawn(speaking);
    }

    /// Runs a future on the client threads, and aborts it if the caller no longer waits.
    pub(crate) async fn speak<T: Send + 'static>(
        &self,
        speaking: impl Future<Output = T> + Send + 'static,
    ) -> T {
        done(AbortOnDropHandle::new(self.speaking.spawn(speaking)).await).await
    }

    /// Runs requested work on the host's threads, even if the caller no longer waits. Everything that belongs to a
    /// task, including drivers and child processes, is started from there and has the host's priority.
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
            // Does not wait: the last owner may be dropped on one of the runtime's own threads.
            runtime.shutdown_background();
        }
    }
}

/// Returns the result of a task. A panic is resumed in the waiting task.
async fn done<T>(joined: Result<T, tokio::task::JoinError>) -> T {
    match joined {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down, and with it the whole process.
            Err(_) => std::future::pending().await,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpriority_process;

    /// Returns the priority and the name of the current thread.
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
