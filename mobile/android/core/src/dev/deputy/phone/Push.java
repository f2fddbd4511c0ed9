package dev.deputy.phone;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Messages from a UnifiedPush app. Any app may claim to be one, so only messages with its token, encrypted to this
 * phone, are accepted.
 */
public final class Push {
    private static final int MOST_BYTES = 4_096;

    private Push() {}

    /** Returns whether a message has the token of this phone's registration. */
    public static boolean isOurs(Kept kept, String token) {
        if (kept == null || token == null || kept.token().isEmpty()) return false;
        return MessageDigest.isEqual(bytes(kept.token()), bytes(token));
    }

    /** Decrypts the notice in a message. Returns null if it was not encrypted to this phone. */
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
