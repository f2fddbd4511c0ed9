//! The generated functions write what Fluent itself makes of the English catalogue.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

use deputy_protocol::Phrase;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};

fn english(area: &str) -> FluentBundle<FluentResource> {
    let file = format!("{}/en/{area}.ftl", env!("CARGO_MANIFEST_DIR"));
    let resource = FluentResource::try_new(std::fs::read_to_string(file).unwrap()).unwrap();
    let mut bundle = FluentBundle::new(vec!["en".parse().unwrap()]);
    bundle.set_use_isolating(false);
    bundle.add_resource(resource).unwrap();
    bundle
}

/// The same by Fluent, from what is on the wire.
fn by_fluent(bundle: &FluentBundle<FluentResource>, phrase: &Phrase) -> String {
    let wire = serde_json::to_value(phrase).unwrap();
    let mut arguments = FluentArgs::new();
    for (name, value) in wire["args"].as_object().unwrap() {
        let value = match value.as_f64() {
            Some(number) => FluentValue::from(number),
            None => FluentValue::from(value.as_str().or(value["text"].as_str()).unwrap().to_owned()),
        };
        arguments.set(name.clone(), value);
    }
    let message = bundle.get_message(wire["id"].as_str().unwrap()).unwrap();
    let mut errors = Vec::new();
    let text = bundle.format_pattern(message.value().unwrap(), Some(&arguments), &mut errors).into_owned();
    assert!(errors.is_empty(), "{errors:?}");
    text
}

#[test]
fn every_message_reads_as_fluent_reads_it() {
    let mut count = 0;
    for (area, samples) in deputy_messages::samples() {
        let bundle = english(area);
        for phrase in samples {
            assert_eq!(phrase, by_fluent(&bundle, &phrase).as_str());
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn a_message_without_arguments_is_found_by_its_id() {
    let found = deputy_messages::fixed("policy-part-of-the-task").unwrap();
    assert_eq!(found, deputy_messages::policy::part_of_the_task());
    assert!(deputy_messages::fixed("policy-writes-raw-disk").is_none());
    assert!(deputy_messages::fixed("nothing").is_none());
}
