package dev.deputy.phone;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import org.json.JSONException;
import org.json.JSONObject;

/** What a UnifiedPush app brings. Any app may claim to be one: only its token, and what was sealed to this phone, count. */
public final class Push {
    private static final int MOST_BYTES = 4_096;

    private Push() {}

    /** Whether a message names this phone's own registration. */
    public static boolean isOurs(Kept kept, String token) {
        if (kept == null || token == null || kept.token().isEmpty()) return false;
        return MessageDigest.isEqual(bytes(kept.token()), bytes(token));
    }

    /** The notice in a message of ours; nothing where it was not sealed to this phone. */
    public static JSONObject open(byte[] message, SealingKey key) {
        if (message == null || message.length > MOST_BYTES) return null;
        try {
            return key.open(new String(message, StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException | JSONException notOurs) {
            return null;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
