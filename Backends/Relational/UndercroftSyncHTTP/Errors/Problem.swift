#if SyncHTTP
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  /// The description of an error that a server sends. (RFC 9457)
  struct Problem {
    /// The maximum number of characters of a text in an error.
    private static let maximumLength = 500

    /// The description of the error, or `nil` if it is missing.
    let detail: String?
    /// The recommended action, or `nil` if it is missing.
    let suggestion: String?

    /// Reads the description, or returns `nil` if it is no JSON object.
    init?(_ body: Data) {
      guard case .object(let members)? = try? JSONReader.read(body) else { return nil }
      detail = Self.text(members[ExactString("detail")]) ?? Self.text(members[ExactString("title")])
      suggestion = Self.text(members[ExactString("suggestion")])
    }

    /// Returns the text of a member, in which terminal escape sequences are escaped, but not the
    /// quotation marks around names.
    private static func text(_ value: JSONValue?) -> String? {
      guard case .string(let text)? = value, !text.isEmpty else { return nil }
      return escaped(String(text.prefix(maximumLength))).replacing("\\\"", with: "\"")
    }
  }
#endif
