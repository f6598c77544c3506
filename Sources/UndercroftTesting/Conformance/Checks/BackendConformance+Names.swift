import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  /// Names that a file system, a shell, SQL or a terminal could misinterpret,
  /// all in Unicode normalisation form C.
  static let awkwardNames: [String] = [
    " ", "two words", " led by a space", "ended by one ", "/", "a/b", "a//b", "/a", "a/", "..", ".",
    "../../etc/passwd", "./a", ".hidden", "-rf", "--", "%", "%2e", "%2F", "100%", "_", "*", "?",
    "[a]", "a'b", "a\"b", "a\\b", "\\", "$HOME", "`ls`", "a;b", "a:b", "a|b", "a&b", "a=b", "a\tb",
    "a\nb", "\u{1}", "\u{1b}[31mred", "\u{7f}", "CON", "nul.txt", "~", "~root", "#", "@", "a+b",
    "lost+found", ".DS_Store", "📚", "👩‍👩‍👧", "Ærø", "é", "книга", "图书馆", "كتاب",
    "本\u{3000}棚", "\u{200b}", "\u{202e}gnp.exe", "\u{feff}", "\u{10ffff}", "I", "i", "ı", "ß", "SS",
    String(repeating: "x", count: 255), String(repeating: "/", count: 255),
    String(repeating: "%", count: 255), String(repeating: "図", count: 85),
    String(repeating: "A.", count: 127),
  ]

  static let names: [Check] = [
    Check("keys lists exactly the prefix") { trial in
      let loans = ["loan", "loan/", "loan/1", "loan/2", "loans"]
      let others = [
        "loa", "Loan", "book/loan", "lo%n", "lo_n", "l*", "éloge", "elan", "\u{10ffff}",
      ]
      try trial.apply((loans + others).map { .set($0, Data($0.utf8)) })
      try trial.expectKeys("loan", loans)
      try trial.expectKeys("loan/", ["loan/", "loan/1", "loan/2"])
      try trial.expectKeys("loan/1", ["loan/1"])
      try trial.expectKeys("lo%", ["lo%n"])
      try trial.expectKeys("lo_", ["lo_n"])
      try trial.expectKeys("l*", ["l*"])
      try trial.expectKeys("L", ["Loan"])
      try trial.expectKeys("e", ["elan"])
      try trial.expectKeys("\u{10ffff}", ["\u{10ffff}"])
      try trial.expectKeys("loan/10", [])
      try trial.expectKeys("", loans + others)
    },
    Check("awkward names survive") { trial in
      for name in awkwardNames { try trial.apply(.set(name, Data(name.utf8))) }
      for name in awkwardNames { try trial.expect(name, reads: name) }
      try trial.expectKeys("", awkwardNames)
      if try trial.declares(.persistent) {
        trial.close()
        for name in awkwardNames { try trial.expect(name, reads: name) }
        try trial.expectKeys("", awkwardNames)
      }
      for name in awkwardNames { try trial.apply(.remove(name)) }
      try trial.expectKeys("", [])
    },
    Check("names that differ in case alone are different names") { trial in
      let names = ["reader", "Reader", "READER", "ärger", "Ärger"]
      for name in names { try trial.set(name, name) }
      for name in names { try trial.expect(name, reads: name) }
      try trial.expectKeys("", names)
    },
    Check("a name may be a prefix of another") { trial in
      let names = ["shelf/1/book", "shelf", "shelf/1", "shelf/", "shelf/1/book/page"]
      for name in names { try trial.set(name, name) }
      for name in names { try trial.expect(name, reads: name) }
      try trial.apply(.remove("shelf/1"))
      try trial.expectKeys("", names.filter { $0 != "shelf/1" })
    },
    Check("a thousand names are listed, each once") { trial in
      let names = (0..<1_000).map { "book/\($0 % 7)/\($0)" }
      try trial.apply(names.map { .set($0, Data($0.utf8)) })
      try trial.expectKeys("", names)
      try trial.expectKeys("book/3/", names.filter { $0.hasPrefix("book/3/") })
      try trial.expect("book/6/999", reads: nil as Data?)
      try trial.expect("book/5/999", reads: "book/5/999")
    },
    Check(
      "keys come in the order of their bytes, if the capability is declared",
      requiredCapabilities: .orderedKeys
    ) {
      trial in
      try trial.apply(awkwardNames.reversed().map { .set($0, Data()) })
      if try trial.declares(.orderedKeys) {
        let keys = try trial.keys()
        let wanted = awkwardNames.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let isOrdered = zip(keys, wanted).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        try trial.expect(
          keys.count == wanted.count && isOrdered,
          "keys is not sorted by UTF-8 bytes although the backend declares .orderedKeys")
      } else {
        // Without the capability, the order is arbitrary, but all keys must be listed.
        try trial.expectKeys("", awkwardNames)
      }
    },
  ]
}
