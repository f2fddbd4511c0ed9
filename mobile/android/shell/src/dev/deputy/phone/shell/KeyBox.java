package dev.deputy.phone.shell;

import android.content.SharedPreferences;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.util.Base64;
import dev.deputy.phone.DeviceKey;
import dev.deputy.phone.Phone;
import dev.deputy.phone.SealingKey;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * The phone's keys. The signing key is generated in the Android Keystore and never leaves it. Before
 * Android 12 the Keystore does not support key agreement, so the key for notices is stored here, encrypted
 * with a Keystore key.
 */
final class KeyBox {
    private static final String STORE = "AndroidKeyStore";
    private static final String GENERATION = "keys.generation";
    private static final String SEALING = "keys.sealing";
    private static final String SEALING_PUBLIC = "keys.sealing.public";
    /** Only usable for a few seconds after the owner has authenticated. */
    private static final String OWNER = "owner";
    private static final int OWNER_SECS = 10;
    private static final String AES_GCM = "AES/GCM/NoPadding";
    private static final int IV_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SharedPreferences kept;

    KeyBox(SharedPreferences kept) {
        this.kept = kept;
    }

    /** Generates keys without replacing the current ones. */
    Phone.Keys make() throws GeneralSecurityException {
        int generation = kept.getInt(GENERATION, 0) + 1;
        KeyPairGenerator signing = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, STORE);
        signing.initialize(new KeyGenParameterSpec.Builder(name(generation), KeyProperties.PURPOSE_SIGN)
                .setAlgorithmParameterSpec(new ECGenParameterSpec("secp256r1"))
                .setDigests(KeyProperties.DIGEST_SHA256)
                .build());
        KeyPair signs = signing.generateKeyPair();
        KeyPairGenerator sealing = KeyPairGenerator.getInstance("EC");
        sealing.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair opens = sealing.generateKeyPair();
        kept.edit()
                .putString(SEALING + generation, wrap(generation, opens.getPrivate().getEncoded()))
                .putString(SEALING_PUBLIC + generation, text(opens.getPublic().getEncoded()))
                .apply();
        return new Phone.Keys(new DeviceKey(signs.getPrivate(), (ECPublicKey) signs.getPublic()),
                new SealingKey(opens.getPrivate(), (ECPublicKey) opens.getPublic()));
    }

    /** Starts using the latest keys, and deletes the previous ones. */
    void use() throws GeneralSecurityException {
        int old = kept.getInt(GENERATION, 0);
        if (!kept.contains(SEALING + (old + 1))) return;
        kept.edit().putInt(GENERATION, old + 1).apply();
        delete(old);
    }

    Phone.Keys keys() throws GeneralSecurityException {
        int generation = kept.getInt(GENERATION, 0);
        KeyStore store = store();
        if (!store.containsAlias(name(generation))) throw new GeneralSecurityException("The phone's key is gone. Pair it again.");
        KeyFactory ec = KeyFactory.getInstance("EC");
        PrivateKey signs = (PrivateKey) store.getKey(name(generation), null);
        // Decoded from its encoding, so that it is an ordinary key, whatever class the Keystore returns.
        byte[] encoded = store.getCertificate(name(generation)).getPublicKey().getEncoded();
        ECPublicKey known = (ECPublicKey) ec.generatePublic(new X509EncodedKeySpec(encoded));
        byte[] opens = unwrap(generation, kept.getString(SEALING + generation, ""));
        byte[] opensPublic = bytes(kept.getString(SEALING_PUBLIC + generation, ""));
        return new Phone.Keys(new DeviceKey(signs, known), new SealingKey(ec.generatePrivate(new PKCS8EncodedKeySpec(opens)),
                (ECPublicKey) ec.generatePublic(new X509EncodedKeySpec(opensPublic))));
    }

    void forget() throws GeneralSecurityException {
        int generation = kept.getInt(GENERATION, 0);
        delete(generation);
        delete(generation + 1);
        store().deleteEntry(OWNER);
    }

    /**
     * Returns whether the owner has just authenticated. The Keystore confirms it by allowing the use of the owner's
     * key.
     */
    boolean isOwnerHere() {
        try {
            Cipher cipher = Cipher.getInstance(AES_GCM);
            cipher.init(Cipher.ENCRYPT_MODE, ownersKey());
            cipher.doFinal(new byte[1]);
            return true;
        } catch (GeneralSecurityException | IllegalStateException notProved) {
            return false;
        }
    }

    /** Generates the owner's key if there is no usable one. A new screen lock invalidates the old key. */
    void prepareOwner() throws GeneralSecurityException {
        try {
            Cipher.getInstance(AES_GCM).init(Cipher.ENCRYPT_MODE, ownersKey());
        } catch (android.security.keystore.KeyPermanentlyInvalidatedException ended) {
            store().deleteEntry(OWNER);
            ownersKey();
        } catch (android.security.keystore.UserNotAuthenticatedException asItShould) {
            // The key exists, and waits for the owner.
        }
    }

    private SecretKey ownersKey() throws GeneralSecurityException {
        KeyGenParameterSpec.Builder spec = aes(OWNER).setUserAuthenticationRequired(true);
        return aesKey(OWNER, spec.setUserAuthenticationValidityDurationSeconds(OWNER_SECS).build());
    }

    private static KeyGenParameterSpec.Builder aes(String name) {
        int purposes = KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT;
        return new KeyGenParameterSpec.Builder(name, purposes)
                .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE);
    }

    private static SecretKey aesKey(String name, KeyGenParameterSpec spec) throws GeneralSecurityException {
        KeyStore store = store();
        if (store.containsAlias(name)) return (SecretKey) store.getKey(name, null);
        KeyGenerator generator = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, STORE);
        generator.init(spec);
        return generator.generateKey();
    }

    private static String wrap(int generation, byte[] secret) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(AES_GCM);
        cipher.init(Cipher.ENCRYPT_MODE, aesKey(wrapName(generation), aes(wrapName(generation)).build()));
        byte[] sealed = cipher.doFinal(secret);
        byte[] all = new byte[IV_BYTES + sealed.length];
        System.arraycopy(cipher.getIV(), 0, all, 0, IV_BYTES);
        System.arraycopy(sealed, 0, all, IV_BYTES, sealed.length);
        return text(all);
    }

    private static byte[] unwrap(int generation, String wrapped) throws GeneralSecurityException {
        byte[] all = bytes(wrapped);
        if (all.length <= IV_BYTES) throw new GeneralSecurityException("The phone's key is gone. Pair it again.");
        Cipher cipher = Cipher.getInstance(AES_GCM);
        SecretKey key = aesKey(wrapName(generation), aes(wrapName(generation)).build());
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, all, 0, IV_BYTES));
        return cipher.doFinal(all, IV_BYTES, all.length - IV_BYTES);
    }

    private void delete(int generation) throws GeneralSecurityException {
        KeyStore store = store();
        store.deleteEntry(name(generation));
        store.deleteEntry(wrapName(generation));
        kept.edit().remove(SEALING + generation).remove(SEALING_PUBLIC + generation).apply();
    }

    private static String name(int generation) {
        return "device-" + generation;
    }

    private static String wrapName(int generation) {
        return "wrap-" + generation;
    }

    private static KeyStore store() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(STORE);
        try {
            store.load(null);
        } catch (IOException error) {
            throw new GeneralSecurityException("The phone's Keystore cannot be opened.", error);
        }
        return store;
    }

    private static String text(byte[] bytes) {
        return Base64.encodeToString(bytes, Base64.NO_WRAP);
    }

    private static byte[] bytes(String text) {
        return Base64.decode(text, Base64.NO_WRAP);
    }
}
