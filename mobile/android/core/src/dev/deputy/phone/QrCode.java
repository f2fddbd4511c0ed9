package dev.deputy.phone;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.DecodeHintType;
import com.google.zxing.PlanarYUVLuminanceSource;
import com.google.zxing.ReaderException;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.util.Collections;

/** Finds a QR code in a camera picture. */
public final class QrCode {
    private QrCode() {}

    /**
     * Returns the text of the code, or null. `luminance` has a byte per pixel, row by row. Further bytes are ignored.
     */
    public static String read(byte[] luminance, int width, int height) {
        PlanarYUVLuminanceSource picture =
                new PlanarYUVLuminanceSource(luminance, width, height, 0, 0, width, height, false);
        try {
            return new QRCodeReader()
                    .decode(new BinaryBitmap(new HybridBinarizer(picture)),
                            Collections.singletonMap(DecodeHintType.TRY_HARDER, Boolean.TRUE))
                    .getText();
        } catch (ReaderException none) {
            return null;
        }
    }
}
