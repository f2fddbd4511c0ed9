package dev.deputy.phone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A phone without Android, for tests: keys in memory, and an owner whose behavior the test sets. */
final class Pocket implements Phone {
    private Keys made;
    private Keys kept;
    private Kept own;
    volatile Unlocked owner = Unlocked.YES;
    volatile int unlocks;
    volatile String code;
    volatile boolean canBePushed;

    @Override
    public Keys makeKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair signing = generator.generateKeyPair();
        KeyPair sealing = generator.generateKeyPair();
        made = new Keys(new DeviceKey(signing.getPrivate(), (ECPublicKey) signing.getPublic()),
                new SealingKey(sealing.getPrivate(), (ECPublicKey) sealing.getPublic()));
        return made;
    }

    @Override
    public Keys keys() {
        return kept;
    }

    @Override
    public Kept kept() {
        return own;
    }

    @Override
    public void keep(Kept changed) {
        if (made != null) kept = made;
        made = null;
        own = changed;
    }

    @Override
    public void forget() {
        kept = null;
        own = null;
    }

    @Override
    public void unlock(Then then) {
        unlocks++;
        then.unlocked(owner);
    }

    @Override
    public void scan(Scanned then) {
        then.scanned(code);
    }

    @Override
    public boolean canBePushed() {
        return canBePushed;
    }

    @Override
    public String words(Words which) {
        // The app's own texts, from its resource file.
        String name = which.name().toLowerCase(Locale.ROOT);
        try {
            String all = new String(Files.readAllBytes(Paths.get(System.getProperty("strings"))), StandardCharsets.UTF_8);
            Matcher found = Pattern.compile("<string name=\"" + name + "\">([^<]*)</string>").matcher(all);
            if (!found.find()) throw new IllegalStateException("The app has no words for " + name);
            return found.group(1).replace("\\'", "'");
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }
}
