//! Layouts of the specialized metadata nodes of debug information, for the listing: LLVM 3.7's
//! field names in the order of its printer (`AsmWriter.cpp`), and the positions of the fields in a
//! record (`BitcodeWriter.cpp`).

/// Format of a field.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// String; not printed when empty.
    Str,
    /// String, printed when empty too.
    StrAlways,
    /// Metadata; not printed when null.
    Md,
    /// Metadata, `null` printed too.
    MdAlways,
    /// Number; not printed when 0.
    Int,
    /// Number, printed when 0 too.
    IntAlways,
    /// Number of a parameter: printed for an argument variable (field 1 is its tag), even when 0.
    Arg,
    /// Number with the sign in its lowest bit.
    Signed,
    /// The same, printed when 0 too.
    SignedAlways,
    Bool,
    Flags,
    Tag,
    /// Tag; not printed when it is this one.
    TagUnless(u64),
    Language,
    /// Language; not printed when 0.
    LanguageIf,
    Encoding,
    Virtuality,
}

use How::*;

/// Field name, position in the record, and how the field is printed.
type Field = (&'static str, usize, How);

/// Makes the table of layouts from a row for each kind of node: its record code and name, then the
/// name, position and format of each printed field.
macro_rules! layouts {
    ($($code:literal $node:ident: $($name:tt $position:literal $how:expr),+;)+) => {
        /// Record code, name and printed fields of each kind of node.
        static LAYOUTS: &[(u32, &str, &[Field])] = &[
            $(($code, stringify!($node), &[$((stringify!($name), $position, $how)),+])),+
        ];
    };
}

layouts! {
    // Record code and node; for each field its name, position in the record, and format.
    13 DISubrange: count 1 IntAlways, lowerBound 2 Signed;
    14 DIEnumerator: name 2 StrAlways, value 1 SignedAlways;
    15 DIBasicType: tag 1 TagUnless(0x24), name 2 Str, size 3 Int, align 4 Int, encoding 5 Encoding;
    16 DIFile: filename 1 StrAlways, directory 2 StrAlways;
    17 DIDerivedType: tag 1 Tag, name 2 Str, scope 5 Md, file 3 Md, line 4 Int, baseType 6 MdAlways,
        size 7 Int, align 8 Int, offset 9 Int, flags 10 Flags, extraData 11 Md;
    18 DICompositeType: tag 1 Tag, name 2 Str, scope 5 Md, file 3 Md, line 4 Int, baseType 6 Md,
        size 7 Int, align 8 Int, offset 9 Int, flags 10 Flags, elements 11 Md,
        runtimeLang 12 LanguageIf, vtableHolder 13 Md, templateParams 14 Md, identifier 15 Str;
    19 DISubroutineType: flags 1 Flags, types 2 MdAlways;
    20 DICompileUnit: language 1 Language, file 2 MdAlways, producer 3 Str, isOptimized 4 Bool,
        flags 5 Str, runtimeVersion 6 IntAlways, splitDebugFilename 7 Str, emissionKind 8 IntAlways,
        enums 9 Md, retainedTypes 10 Md, subprograms 11 Md, globals 12 Md, imports 13 Md,
        dwoId 14 Int;
    21 DISubprogram: name 2 Str, linkageName 3 Str, scope 1 MdAlways, file 4 Md, line 5 Int,
        type 6 Md, isLocal 7 Bool, isDefinition 8 Bool, scopeLine 9 Int, containingType 10 Md,
        virtuality 11 Virtuality, virtualIndex 12 Int, flags 13 Flags, isOptimized 14 Bool,
        function 15 Md, templateParams 16 Md, declaration 17 Md, variables 18 Md;
    22 DILexicalBlock: scope 1 MdAlways, file 2 Md, line 3 Int, column 4 Int;
    23 DILexicalBlockFile: scope 1 MdAlways, file 2 Md, discriminator 3 IntAlways;
    24 DINamespace: name 3 Str, scope 1 MdAlways, file 2 Md, line 4 Int;
    25 DITemplateTypeParameter: name 1 Str, type 2 MdAlways;
    26 DITemplateValueParameter: tag 1 TagUnless(0x30), name 2 Str, type 3 Md, value 4 MdAlways;
    27 DIGlobalVariable: name 2 Str, linkageName 3 Str, scope 1 MdAlways, file 4 Md, line 5 Int,
        type 6 Md, isLocal 7 Bool, isDefinition 8 Bool, variable 9 Md, declaration 10 Md;
    28 DILocalVariable: tag 1 Tag, name 3 Str, arg 7 Arg, scope 2 MdAlways, file 4 Md, line 5 Int,
        type 6 Md, flags 8 Flags;
    31 DIImportedEntity: tag 1 Tag, name 5 Str, scope 2 MdAlways, entity 3 Md, line 4 Int;
}

/// Returns the name and printed fields of a node by its record code.
pub(super) fn layout(code: u32) -> Option<(&'static str, &'static [Field])> {
    LAYOUTS
        .iter()
        .find(|(of, _, _)| *of == code)
        .map(|&(_, name, fields)| (name, fields))
}
