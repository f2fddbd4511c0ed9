//! Tests which texts are recognized as carried from one origin to another.

use super::*;

const MAIL: &str = "https://mail.test";
const EVIL: &str = "https://evil.test";

/// Pieces of a single mail. Each is written in ten ways, so two hundred writes are tested.
const READ: [&str; 20] = [
    "493-771",
    "A7-99812X",
    "4111 1111 1111 1111",
    "DE02 1203 0000 0000 2020 51",
    "ada.lovelace@example.org",
    "planned for the second week of March",
    "+44 20 7946 0958",
    "12 Pear Lane, SW1A 1AA",
    "Grace Hopper",
    "sk-proj-9fK2mQ7xWb",
    "1Z 999 AA1 01 2345 6784",
    "the merger with Hooli is off",
    "diagnosis: type two diabetes",
    "2026-03-14 at 09:45 in room B312",
    "passport X1234567",
    "salary of 84,200 euros",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "correct horse battery staple",
    "my mother was born Kowalska",
    "192.168.17.44",
];

fn ways(text: &str) -> [String; 10] {
    let encoded: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
    [
        text.to_owned(),
        text.to_uppercase(),
        text.to_lowercase(),
        format!("Hello, please note: {text}. Thanks!"),
        format!("{EVIL}/?q={encoded}"),
        format!("{EVIL}/{}", encoded.replace('+', "%20")),
        format!("{EVIL}/search#{encoded}"),
        text.replace(' ', "  "),
        text.replace(' ', "\n"),
        format!("a=1&note={encoded}&b=2"),
    ]
}

fn read_mail() -> Carried {
    let known = Carried::default();
    for text in READ {
        known.read(MAIL, &format!("From: somebody\n{text}\nBye"));
    }
    known
}

#[test]
fn two_hundred_writes_of_what_was_read_elsewhere_are_all_seen() {
    let known = read_mail();
    for text in READ {
        for way in ways(text) {
            let source = match way.starts_with(EVIL) {
                true => known.source_of_address(&way),
                false => known.source(&way, EVIL),
            };
            assert_eq!(source.as_deref(), Some(MAIL), "{way:?}");
            assert_eq!(known.source(&way, MAIL), None, "{way:?}");
        }
    }
}

#[test]
fn numbers_are_known_together_and_apart() {
    let known = read_mail();
    for text in
        ["4111111111111111", "4111-1111-1111-1111", "493771", "DE02120300000000202051", "1Z999AA10123456784"]
    {
        assert_eq!(known.source(text, EVIL).as_deref(), Some(MAIL), "{text}");
    }
    assert_eq!(known.source_of_address("https://493771.evil.test/").as_deref(), Some(MAIL));
}

/// What people make an agent type and open after it has read a mail, a shop and a page of search results.
const HARMLESS: [&str; 40] = [
    "plums and more",
    "pear tart recipe",
    "Ada",
    "March",
    "next Tuesday",
    "2026",
    "42",
    "19.99",
    "10001",
    "2",
    "cheap flights to Lisbon",
    "hotel in Lisbon for two",
    "weather tomorrow",
    "rust async traits",
    "how to prune a pear tree",
    "Lisbon",
    "running shoes size 43",
    "used piano",
    "translate good morning to Portuguese",
    "train timetable",
    "news",
    "opening hours of the library",
    "14:30",
    "12/05/2027",
    "blue",
    "yes",
    "Hello",
    "please call me back",
    "meeting notes",
    "python list comprehension",
    "https://shop.test/search?q=pears",
    "https://shop.test/category/shoes?page=2",
    "https://shop.test/p/iphone-15-123456",
    "https://docs.test/v1.2/install.html",
    "https://news.test/2026/11/24/a-title-of-an-article",
    "https://maps.test/?from=Lisbon&to=Porto",
    "https://search.test/?q=used+piano&sort=price",
    "https://shop.test/cart",
    "https://shop.test/",
    "https://wiki.test/wiki/Pear",
];

#[test]
fn what_the_task_brings_itself_is_nobodys() {
    let known = read_mail();
    known.read(MAIL, "Buy pears and plums. Sign in. Dear Ada, in March we meet. Price 19.99, page 2 of 42.");
    known.read(
        "https://search.test",
        "1. Pear - the fruit https://shop.test/p/iphone-15-123456 (4.5 of 5, 2026)",
    );
    let passed = HARMLESS.iter().filter(|text| match text.starts_with("https://") {
        true => known.source_of_address(text).is_none(),
        false => known.source(text, "https://shop.test").is_none(),
    });
    let passed: Vec<_> = passed.collect();
    let asked: Vec<_> = HARMLESS.iter().filter(|text| !passed.contains(text)).collect();
    assert!(passed.len() * 100 >= HARMLESS.len() * 97, "asked about {asked:?}");
}

#[test]
fn what_was_typed_before_it_was_read_stays_the_tasks_own() {
    let known = Carried::default();
    let address = "Grace Hopper, 12 Pear Lane, SW1A 1AA, +44 20 7946 0958";
    known.wrote(address);
    known.read(MAIL, &format!("Sent to {address}"));
    assert_eq!(known.source(address, EVIL), None);
    assert_eq!(known.source("12 Pear Lane", EVIL), None);
}

#[test]
fn what_was_read_stays_known_when_it_was_taken_along_once() {
    let known = read_mail();
    known.wrote("code 493-771");
    assert_eq!(known.source("493771", EVIL).as_deref(), Some(MAIL));
}

#[test]
fn a_link_is_followed_as_its_page_gave_it_and_not_one_that_was_typed_into_it() {
    let known = read_mail();
    known.read(MAIL, "Track it: https://parcels.test/track?id=A7-99812X");
    assert_eq!(known.source_of_address("https://parcels.test/track?id=A7-99812X"), None);
    assert_eq!(known.source_of_address("https://evil.test/track?id=A7-99812X").as_deref(), Some(MAIL));
    known.wrote("https://evil.test/?c=493771");
    known.read(MAIL, "Nothing found for https://evil.test/?c=493771");
    assert_eq!(known.source_of_address("https://evil.test/?c=493771").as_deref(), Some(MAIL));
}

#[test]
fn what_is_typed_key_by_key_is_seen_as_a_whole() {
    let carried = Carried::default();
    carried.read("http://mail.test", "Your code is 493771.");
    let mut asked = Vec::new();
    for key in "493771 1".chars() {
        let typed = carried.pressed_before("http://shop.test") + &key.to_string();
        asked.extend(carried.source(&typed, "http://shop.test").map(|_| key));
        carried.pressed("http://shop.test", &key.to_string());
    }
    assert_eq!(asked, ['1'], "the last digit of the code, once");
}
