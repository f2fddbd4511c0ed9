//! The pictures of a conversation, passed to the planner if its backend supports pictures.

use crate::backends;
use crate::core::Core;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use deputy_protocol::{BackendRef, Message, MessagePicture, Messages};
use std::sync::Arc;

/// The setting of a backend that says whether its model supports pictures.
const SETTING: &str = "pictures";
/// The maximum size of a picture that is sent, in bytes. Providers refuse larger ones.
const LARGEST_BYTES: usize = 3_500_000;
/// The maximum number of pictures that are sent, the newest. Older ones are left out in groups, because each change to
/// what was sent before invalidates the provider's prompt cache.
const MOST_PICTURES: usize = 8;
const LEAVE_OUT: usize = 4;

/// What a result with pictures says about them, for the model.
const COMES: &str = "[The picture comes with this result.]";
const TAKES_NONE: &str = "[No picture comes with this result: the model takes none.]";
const LEFT_OUT: &str = "[The picture does not come with this result any longer.]";

/// Adds the content of the newest pictures, and says with each result whether its picture comes with it.
pub(super) fn fill(core: &Core, backend: &BackendRef, messages: &mut Messages) {
    let takes_pictures = takes_pictures(backend);
    let shown = |message: &Message| match message {
        Message::Tool(message) => message.pictures.len(),
        Message::User(_) | Message::Assistant(_) => 0,
    };
    let mut omitted = omitted(messages.iter().map(shown).sum());
    for message in messages.shared_mut().filter(|message| shown(message) > 0) {
        if let Message::Tool(message) = Arc::make_mut(message) {
            for picture in message.pictures.iter_mut().filter(|_| takes_pictures) {
                match omitted {
                    0 => picture.base64 = encoded(core, picture),
                    _ => omitted -= 1,
                }
            }
            let comes = message.pictures.iter().any(|picture| picture.base64.is_some());
            let said = match (takes_pictures, comes) {
                (false, _) => TAKES_NONE,
                (true, true) => COMES,
                (true, false) => LEFT_OUT,
            };
            message.content = format!("{}\n{said}", message.content);
        }
    }
}

/// Returns the encoded content of a picture. `None` if its blob is missing or too large; it is then described in text.
fn encoded(core: &Core, picture: &MessagePicture) -> Option<String> {
    let bytes = core.store.blob(&picture.digest).ok().filter(|bytes| bytes.len() <= LARGEST_BYTES);
    bytes.map(|bytes| STANDARD.encode(bytes))
}

/// Returns whether the model supports pictures: the setting, or else the declaration of a backend that comes with
/// Deputy.
fn takes_pictures(backend: &BackendRef) -> bool {
    let declared = || {
        let form = backends::shipped(&backend.name)?;
        form.settings.iter().find(|setting| setting.name == SETTING)?.default.as_ref()
    };
    backend.settings.get(SETTING).or_else(declared).and_then(serde_json::Value::as_bool) == Some(true)
}

/// Returns how many of the oldest pictures are left out.
fn omitted(pictures: usize) -> usize {
    pictures.saturating_sub(MOST_PICTURES).div_ceil(LEAVE_OUT) * LEAVE_OUT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::testing::Bench;
    use deputy_protocol::{CallId, Digest, PictureType, ToolMessage};
    use serde_json::json;
    use std::collections::BTreeMap;

    #[test]
    fn old_pictures_go_some_at_a_time() {
        let told: Vec<usize> = [0, 8, 9, 12, 13, 16].iter().map(|count| omitted(*count)).collect();
        assert_eq!(told, [0, 0, 4, 4, 8, 8]);
    }

    #[tokio::test]
    async fn bytes_are_handed_over_only_where_the_backend_says_that_it_takes_them() {
        let bench = Bench::new();
        let kept = bench.core.store.keep_blob(b"a picture").unwrap();
        let picture = |digest: &Digest| MessagePicture {
            media_type: PictureType::Png,
            alt: "a.png".into(),
            base64: None,
            digest: digest.clone(),
        };
        let missing = Digest::new("0".repeat(64));
        let mut messages = Messages::from(vec![Message::Tool(ToolMessage {
            call: CallId::new("t-1-1"),
            tool: "code".into(),
            content: "Seen.".into(),
            ok: true,
            pictures: vec![picture(&kept.digest), picture(&missing)],
        })]);
        let mut backend = BackendRef { name: "any".into(), settings: BTreeMap::new() };
        let bytes = |messages: &Messages| match &messages[0] {
            Message::Tool(message) => {
                message.pictures.iter().map(|each| each.base64.clone()).collect::<Vec<_>>()
            }
            _ => unreachable!(),
        };
        let content = |messages: &Messages| match &messages[0] {
            Message::Tool(message) => message.content.clone(),
            _ => unreachable!(),
        };
        let mut none = messages.clone();
        fill(&bench.core, &backend, &mut none);
        assert_eq!((bytes(&none), content(&none)), (vec![None, None], format!("Seen.\n{TAKES_NONE}")));
        backend.settings.insert(SETTING.into(), json!(true));
        let mut all = messages.clone();
        fill(&bench.core, &backend, &mut all);
        let expected = vec![Some(STANDARD.encode("a picture")), None];
        assert_eq!(
            (bytes(&all), content(&all)),
            (expected, format!("Seen.\n{COMES}")),
            "what is gone is no error"
        );
        let Message::Tool(message) = Arc::make_mut(messages.shared_mut().next().unwrap()) else { panic!() };
        message.pictures.remove(0);
        fill(&bench.core, &backend, &mut messages);
        assert_eq!(content(&messages), format!("Seen.\n{LEFT_OUT}"));
    }
}
