import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** `java Later.java android.jar later.txt OUT`: Android's stubs with the members that came later, to compile against. */
public final class Later {
    public static void main(String[] args) throws Exception {
        Map<String, List<String>> members = new HashMap<>();
        List<String> fresh = new ArrayList<>();
        for (String text : Files.readAllLines(Paths.get(args[1]))) {
            if (text.startsWith("#") || text.isEmpty()) continue;
            String[] parts = text.split(" ", 3);
            if (parts[2].equals("class")) fresh.add(parts[0]);
            else members.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(parts[2]);
        }
        try (JarFile from = new JarFile(args[0]);
                OutputStream file = Files.newOutputStream(Paths.get(args[2]));
                JarOutputStream to = new JarOutputStream(file)) {
            for (JarEntry entry : (Iterable<JarEntry>) from.stream()::iterator) {
                if (!entry.getName().endsWith(".class")) continue;
                String name = entry.getName().substring(0, entry.getName().length() - ".class".length());
                to.putNextEntry(new JarEntry(entry.getName()));
                try (InputStream in = from.getInputStream(entry)) {
                    byte[] content = in.readAllBytes();
                    List<String> more = members.remove(name);
                    to.write(more == null ? content : with(content, more));
                }
            }
            for (String name : fresh) {
                ClassWriter made = new ClassWriter(0);
                made.visit(Opcodes.V1_7, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, name, null, "java/lang/Object", null);
                add(made, members.remove(name));
                to.putNextEntry(new JarEntry(name + ".class"));
                to.write(made.toByteArray());
            }
        }
        if (!members.isEmpty()) throw new IllegalArgumentException("There are no such classes: " + members.keySet());
    }

    private static byte[] with(byte[] content, List<String> more) {
        ClassReader reader = new ClassReader(content);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public void visitEnd() {
                add(cv, more);
                super.visitEnd();
            }
        }, 0);
        return writer.toByteArray();
    }

    private static void add(ClassVisitor to, List<String> more) {
        for (String text : more) {
            boolean isStatic = text.startsWith("static ");
            String member = isStatic ? text.substring("static ".length()) : text;
            int access = Opcodes.ACC_PUBLIC | (isStatic ? Opcodes.ACC_STATIC : 0);
            if (!member.contains("(")) {
                String[] parts = member.split("=");
                to.visitField(access | Opcodes.ACC_FINAL, parts[0], "I", null, Integer.valueOf(parts[1])).visitEnd();
                continue;
            }
            int at = member.indexOf('(');
            // The code never runs: the phone has its own.
            MethodVisitor method = to.visitMethod(access, member.substring(0, at), member.substring(at), null, null);
            method.visitCode();
            method.visitInsn(Opcodes.ACONST_NULL);
            method.visitInsn(Opcodes.ATHROW);
            method.visitMaxs(1, 8);
            method.visitEnd();
        }
    }
}
