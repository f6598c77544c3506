import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

extension BackendConformance {
  static let secrets: [Check] = [
    Check(
      "no file holds the plaintext of a value or of its name, if the capability is declared",
      requiredCapabilities: .confidential
    ) {
      trial in
      let name = "reader-card-of-\(UUID().uuidString)"
      let value = "token-\(UUID().uuidString)"
      try trial.set(name, value)
      try trial.expect(name, reads: value)
      guard try trial.declares(.confidential) else {
        // Without the capability, files may contain plaintext, and the
        // inspection report must not declare the store confidential.
        guard let inspectable = try trial.backend as? any Inspectable else { return }
        let claims = try inspectable.inspect().isConfidential
        try trial.expect(
          !claims,
          "the inspection reports a confidential store, but the capabilities lack .confidential")
        return
      }
      try findNothing(of: name, value, trial, "while the store is open")
      trial.close()
      try findNothing(of: name, value, trial, "after the store was closed")
      try trial.set(name, "another value")
      try findNothing(of: name, value, trial, "after the value was replaced")
      try trial.apply(.remove(name))
      trial.close()
      try findNothing(of: name, value, trial, "after the value was removed")
    }
  ]

  private static func findNothing(
    of name: String, _ value: String, _ trial: CheckContext, _ moment: String
  ) throws {
    let tree = try FileTree(of: trial.directory)
    for (what, text) in [("name of the entry", name), ("value of the entry", value)] {
      for (form, needle) in forms(of: text) {
        if let path = tree.path(holding: needle) {
          throw ConformanceFailure(
            """
            \(moment), the path or the content of \(quoted(path)) contains the \(what) in \(form)
            """)
        }
      }
    }
  }

  /// Returns `text` in common encodings that do not conceal it, each with the name of the encoding.
  private static func forms(of text: String) -> [(String, Data)] {
    let bytes = Data(text.utf8)
    let hexadecimal = bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
    // The end of a Base64 text depends on the bytes that follow, so only whole groups are searched.
    let base64 = bytes.prefix(bytes.count / 3 * 3).base64EncodedString()
    return [
      ("plain text", bytes),
      ("UTF-16", Data(text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })),
      ("hexadecimal", Data(hexadecimal.utf8)), ("Base64", Data(base64.utf8)),
      ("reverse byte order", Data(bytes.reversed())),
    ]
  }
}
