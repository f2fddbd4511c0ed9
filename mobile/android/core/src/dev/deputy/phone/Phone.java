package dev.deputy.phone;

import java.security.GeneralSecurityException;

/** What the connection needs of the phone that it runs on: keys, a place to keep things, its owner's lock. */
public interface Phone {
    /** A fresh pair of keys, which replaces the one before once `keep` is called. */
    Keys makeKeys() throws GeneralSecurityException;

    /** The keys of the paired phone. */
    Keys keys() throws GeneralSecurityException;

    /** What was kept, or nothing where the phone is not paired. */
    Kept kept();

    /** Keeps it, together with the keys that were made last, and watches as it says from then on. */
    void keep(Kept kept);

    /** Deletes keys and all that was kept. */
    void forget();

    /** Asks the owner for fingerprint or screen lock, then calls back. */
    void unlock(Then then);

    /** Lets the owner scan a code with the camera; calls back with what it says, or with nothing. */
    void scan(Scanned then);

    /** Whether a UnifiedPush app is installed. */
    boolean canBePushed();

    /** Words for the owner in their language. */
    String words(Words which);

    final class Keys {
        public final DeviceKey signing;
        public final SealingKey sealing;

        public Keys(DeviceKey signing, SealingKey sealing) {
            this.signing = signing;
            this.sealing = sealing;
        }
    }

    interface Then {
        void unlocked(Unlocked how);
    }

    interface Scanned {
        void scanned(String text);
    }

    enum Unlocked {
        YES,
        /** The owner went back, or was not recognized. */
        NO,
        /** The phone has no screen lock. */
        WITHOUT_LOCK
    }

    enum Words {
        NOT_UNLOCKED,
        NO_SCREEN_LOCK,
        NO_CODE,
        NO_ADDRESS,
        NO_RELAY,
        NO_PUSH,
        UNREACHABLE,
        OTHER_SERVER
    }
}
