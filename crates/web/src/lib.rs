//! Requests to the web: each address is judged before it is requested, on every redirect too, and the network address that
//! was judged is the one that is connected to. What comes back is bounded, and made into text that a model reads.

mod cache;
mod dial;
mod get;
mod page;
mod proxy;

pub use dial::{Resolve, system_resolver};
pub use get::{Ask, Bounds, Client, FetchError, Fetched, Gate};
pub use page::{decoded, markdown};
pub use proxy::{MARK, Proxy};
