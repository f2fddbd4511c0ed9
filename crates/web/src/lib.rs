//! Web requests. Each address is judged before it is requested, including redirects, and the connection uses exactly
//! the network address that was judged. Answers are limited in size and converted to text for a model.

mod cache;
mod dial;
mod get;
mod page;
mod proxy;

pub use dial::{Resolve, system_resolver};
pub use get::{Ask, Bounds, Client, FetchError, Fetched, Gate};
pub use page::{decoded, markdown};
pub use proxy::{MARK, Proxy};
