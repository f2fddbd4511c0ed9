/** The wire types, as generated from the protocol crate. Everything else imports them from here. */
export * from "../crates/protocol/generated/protocol";
