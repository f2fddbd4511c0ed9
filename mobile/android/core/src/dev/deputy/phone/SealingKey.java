package dev.deputy.phone;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.json.JSONException;
import org.json.JSONObject;

/** The key that notices through a relay are encrypted to. docs/pairing.md specifies the encryption. */
public final class SealingKey {
    private static final String INFO = "deputy-notice-1";
    private static final int POINT_BYTES = 65;
    private static final int TAG_BITS = 128;

    private final PrivateKey secret;
    private final ECPublicKey known;

    public SealingKey(PrivateKey secret, ECPublicKey known) {
        this.secret = secret;
        this.known = known;
    }

    /** Returns the uncompressed point in base64url. */
    public String point() {
        return DeviceKey.encode(DeviceKey.point(known));
    }

    /** Decrypts a notice from a relay. Throws an exception if it was not encrypted to this key, or was modified. */
    public JSONObject open(String sealed) throws GeneralSecurityException, JSONException {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(sealed.trim());
        } catch (IllegalArgumentException error) {
            throw new GeneralSecurityException("This is no sealed notice.", error);
        }
        if (bytes.length <= POINT_BYTES || bytes[0] != 4) throw new GeneralSecurityException("This is no sealed notice.");
        byte[] ephemeral = Arrays.copyOf(bytes, POINT_BYTES);
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(secret);
        agreement.doPhase(publicKey(ephemeral), true);
        byte[] own = DeviceKey.point(known);
        byte[] salt = Arrays.copyOf(ephemeral, ephemeral.length + own.length);
        System.arraycopy(own, 0, salt, ephemeral.length, own.length);
        // HKDF (RFC 5869): a single block is the whole key.
        byte[] extracted = hmac(salt, agreement.generateSecret());
        byte[] info = INFO.getBytes(StandardCharsets.US_ASCII);
        byte[] key = hmac(extracted, Arrays.copyOf(info, info.length + 1), (byte) 1);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, new byte[12]));
        byte[] text = cipher.doFinal(bytes, POINT_BYTES, bytes.length - POINT_BYTES);
        return new JSONObject(new String(text, StandardCharsets.UTF_8));
    }

    private ECPublicKey publicKey(byte[] point) throws GeneralSecurityException {
        BigInteger x = new BigInteger(1, Arrays.copyOfRange(point, 1, 33));
        BigInteger y = new BigInteger(1, Arrays.copyOfRange(point, 33, POINT_BYTES));
        // The key agreement refuses a point that is not on the curve.
        ECPublicKeySpec spec = new ECPublicKeySpec(new ECPoint(x, y), known.getParams());
        return (ECPublicKey) KeyFactory.getInstance("EC").generatePublic(spec);
    }

    private static byte[] hmac(byte[] key, byte[] content) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(content);
    }

    private static byte[] hmac(byte[] key, byte[] content, byte last) throws GeneralSecurityException {
        content[content.length - 1] = last;
        return hmac(key, content);
    }
}
