//! The connections of a listener: authenticated connections, and strangers, which have to make room for newcomers.
//!
//! Anyone can be a stranger, so strangers never lock anyone out: if there are too many, one of them is cut, and the
//! newcomer is served. The cut connection is the oldest of the address with the most strangers, so that many
//! connections from one machine only affect that machine, and a short-lived connection finishes before it is cut.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// The unit that counts as one address: an IPv4 address, or an IPv6 network of 64 bits, whose addresses are all
/// available to one user. `None` is this machine, which has many addresses.
type Group = Option<IpAddr>;

/// The maximum number of connections of each kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Connections that are not authenticated.
    pub(super) strangers: usize,
    /// Authenticated connections.
    pub(super) known: usize,
}

/// The connections of a listener.
#[derive(Debug)]
pub(super) struct Crowd {
    room: Room,
    members: Mutex<Members>,
}

#[derive(Debug, Default)]
struct Members {
    next: u64,
    strangers: Half,
    known: Half,
}

/// Connections of one kind, oldest first.
#[derive(Debug, Default)]
struct Half {
    all: HashMap<u64, (Group, CancellationToken)>,
    groups: HashMap<Group, BTreeSet<u64>>,
}

/// A connection's place. It is released when all of its clones are dropped.
#[derive(Clone, Debug)]
pub(super) struct Place(Arc<Held>);

#[derive(Debug)]
struct Held {
    id: u64,
    cut: CancellationToken,
    crowd: Arc<Crowd>,
}

impl Crowd {
    pub(super) fn new(room: Room) -> Arc<Self> {
        Arc::new(Self { room, members: Mutex::default() })
    }

    /// Returns a place for a new connection. This always succeeds.
    pub(super) fn enter(self: &Arc<Self>, from: IpAddr) -> Place {
        let cut = CancellationToken::new();
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        let id = members.next;
        members.next += 1;
        while members.strangers.all.len() >= self.room.strangers.max(1) {
            members.strangers.cut_one();
        }
        members.strangers.add(id, group(from), cut.clone());
        drop(members);
        Place(Arc::new(Held { id, cut, crowd: self.clone() }))
    }

    /// Cuts a stranger, if any, because the system has no room for another connection.
    pub(super) fn make_room(&self) {
        self.members.lock().unwrap_or_else(PoisonError::into_inner).strangers.cut_one();
    }
}

impl Half {
    fn add(&mut self, id: u64, group: Group, cut: CancellationToken) {
        self.groups.entry(group).or_default().insert(id);
        self.all.insert(id, (group, cut));
    }

    fn remove(&mut self, id: u64) -> Option<(Group, CancellationToken)> {
        let (group, cut) = self.all.remove(&id)?;
        if let Some(ids) = self.groups.get_mut(&group) {
            ids.remove(&id);
            if ids.is_empty() {
                self.groups.remove(&group);
            }
        }
        Some((group, cut))
    }

    /// Cuts the oldest connection of the largest group. Among groups of the same size, the oldest connection of all is
    /// cut.
    fn cut_one(&mut self) {
        let largest =
            self.groups.values().max_by_key(|ids| (ids.len(), std::cmp::Reverse(ids.first().copied())));
        let Some(oldest) = largest.and_then(|ids| ids.first().copied()) else { return };
        if let Some((_, cut)) = self.remove(oldest) {
            cut.cancel();
        }
    }
}

impl Place {
    /// Marks the connection as authenticated, so that it is no longer a stranger.
    pub(super) fn let_in(&self) {
        let Held { id, crowd, .. } = &*self.0;
        let mut members = crowd.members.lock().unwrap_or_else(PoisonError::into_inner);
        // A connection that was just cut stays cut.
        let Some((group, cut)) = members.strangers.remove(*id) else { return };
        while members.known.all.len() >= crowd.room.known.max(1) {
            members.known.cut_one();
        }
        members.known.add(*id, group, cut);
    }

    /// Returns the token that is cancelled when the connection has to make room.
    pub(super) fn cut(&self) -> CancellationToken {
        self.0.cut.clone()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut members = self.crowd.members.lock().unwrap_or_else(PoisonError::into_inner);
        if members.strangers.remove(self.id).is_none() {
            members.known.remove(self.id);
        }
    }
}

fn group(from: IpAddr) -> Group {
    match from.to_canonical() {
        ip if ip.is_loopback() => None,
        IpAddr::V6(ip) => Some(IpAddr::V6((ip.to_bits() & !u128::from(u64::MAX)).into())),
        ip => Some(ip),
    }
}

/// Returns a place, for tests without contention.
#[cfg(test)]
pub(super) fn one_place() -> Place {
    Crowd::new(Room { strangers: 1, known: 1 }).enter(std::net::Ipv4Addr::LOCALHOST.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Room = Room { strangers: 4, known: 2 };

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_cut(place: &Place) -> bool {
        place.cut().is_cancelled()
    }

    #[test]
    fn a_newcomer_takes_the_place_of_the_oldest_of_the_largest_group() {
        let crowd = Crowd::new(ROOM);
        let phone = crowd.enter(ip("192.0.2.7"));
        let attacker: Vec<Place> = (0..20).map(|_| crowd.enter(ip("192.0.2.66"))).collect();
        assert!(!is_cut(&phone), "another machine's connections push nobody out but themselves");
        let open = attacker.iter().map(is_cut).collect::<Vec<_>>();
        assert_eq!(open.iter().filter(|cut| !**cut).count(), 3);
        assert!(open[..17].iter().all(|cut| *cut), "the oldest first: {open:?}");
    }

    #[test]
    fn addresses_that_one_machine_can_have_count_as_one() {
        let crowd = Crowd::new(ROOM);
        let phone = crowd.enter(ip("2001:db8:1::7"));
        let page = crowd.enter(ip("127.0.0.1"));
        let other: Vec<Place> = (1..9).map(|n| crowd.enter(ip(&format!("2001:db8:2::{n}")))).collect();
        assert!(!is_cut(&phone) && !is_cut(&page));
        assert!(is_cut(&other[0]));
        assert_eq!(group(ip("127.4.5.6")), group(ip("::1")));
        assert_eq!(group(ip("::ffff:192.0.2.7")), group(ip("192.0.2.7")));
    }

    #[test]
    fn whoever_showed_who_it_is_is_not_pushed_out_by_strangers() {
        let crowd = Crowd::new(ROOM);
        let page = crowd.enter(ip("127.0.0.1"));
        page.let_in();
        let strangers: Vec<Place> = (0..50).map(|_| crowd.enter(ip("127.0.0.1"))).collect();
        crowd.make_room();
        assert!(!is_cut(&page));
        assert_eq!(strangers.iter().filter(|place| !is_cut(place)).count(), 3);
    }

    #[test]
    fn a_place_is_free_again_when_its_last_copy_is_gone() {
        let crowd = Crowd::new(ROOM);
        for _ in 0..50 {
            let place = crowd.enter(ip("127.0.0.1"));
            let copy = place.clone();
            drop(place);
            copy.let_in();
            assert!(!is_cut(&copy));
        }
        let members = crowd.members.lock().unwrap();
        assert!(members.strangers.all.is_empty() && members.known.all.is_empty());
        assert!(members.strangers.groups.is_empty() && members.known.groups.is_empty());
    }
}
