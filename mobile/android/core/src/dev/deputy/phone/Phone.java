package dev.deputy.phone;

import java.security.GeneralSecurityException;

/** What the connection needs from the phone: keys, storage, and the owner's authentication. */
public interface Phone {
    /** Generates new keys, which replace the previous ones once `keep` is called. */
    Keys makeKeys() throws GeneralSecurityException;

    /** Returns the keys of the paired phone. */
    Keys keys() throws GeneralSecurityException;

    /** Returns the stored state. Null if the phone is not paired. */
    Kept kept();

    /** Stores the state, together with the latest keys, and watches accordingly from then on. */
    void keep(Kept kept);

    /** Deletes the keys and the stored state. */
    void forget();

    /** Asks the owner for a fingerprint or the screen lock, then calls back. */
    void unlock(Then then);

    /** Lets the owner scan a code with the camera. Calls back with its text, or with null. */
    void scan(Scanned then);

    /** Returns whether a UnifiedPush app is installed. */
    boolean canBePushed();

    /** Returns a text in the owner's language. */
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
        /** The owner cancelled, or was not recognized. */
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
