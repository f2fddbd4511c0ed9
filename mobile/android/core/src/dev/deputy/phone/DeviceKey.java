package dev.deputy.phone;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A P-256 key pair of the device. The private key may be in hardware, so it is only used for signing. */
public final class DeviceKey {
    private static final int COORDINATE_BYTES = 32;

    private final PrivateKey secret;
    private final ECPublicKey known;

    public DeviceKey(PrivateKey secret, ECPublicKey known) {
        this.secret = secret;
        this.known = known;
    }

    /** Returns the uncompressed point, 65 bytes, in base64url. */
    public String point() {
        return encode(point(known));
    }

    static byte[] point(ECPublicKey key) {
        byte[] point = new byte[1 + 2 * COORDINATE_BYTES];
        point[0] = 4;
        put(key.getW().getAffineX(), point, 1);
        put(key.getW().getAffineY(), point, 1 + COORDINATE_BYTES);
        return point;
    }

    /** Signs the lines, joined by line feeds. Returns `r` and `s`, 32 bytes each, in base64url. */
    public String sign(String... lines) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(secret);
        signature.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        return encode(raw(signature.sign()));
    }

    /** Converts Java's DER signature, SEQUENCE { INTEGER r, INTEGER s }, to the wire format. */
    static byte[] raw(byte[] der) {
        byte[] raw = new byte[2 * COORDINATE_BYTES];
        int at = 2;
        for (int part = 0; part < 2; part++) {
            int length = der[at + 1];
            byte[] number = new byte[length];
            System.arraycopy(der, at + 2, number, 0, length);
            put(new BigInteger(1, number), raw, part * COORDINATE_BYTES);
            at += 2 + length;
        }
        return raw;
    }

    static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static void put(BigInteger number, byte[] into, int at) {
        byte[] bytes = number.toByteArray();
        int length = Math.min(bytes.length, COORDINATE_BYTES);
        System.arraycopy(bytes, bytes.length - length, into, at + COORDINATE_BYTES - length, length);
    }
}
