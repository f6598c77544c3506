#if SyncServer
  /// The text format of Prometheus, version 0.0.4.
  enum PrometheusText {
    /// The media type of the format.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns a name of which each character is allowed in the name of a metric.
    static func name(_ label: String) -> String {
      let scalars = label.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ":": Character(scalar)
        default: "_"
        }
      }
      let name = String(scalars)
      return name.first?.isNumber == true ? "_" + name : name
    }

    /// Returns labels in braces, or an empty string if there are none.
    static func labels(_ labels: [(String, String)]) -> String {
      guard !labels.isEmpty else { return "" }
      let parts = labels.map { key, value in
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          .replacing("\n", with: "\\n")
        return "\(name(key))=\"\(escaped)\""
      }
      return "{" + parts.joined(separator: ",") + "}"
    }

    /// Returns a number without a needless fraction.
    static func number(_ value: Double) -> String {
      Int64(exactly: value).map { String($0) } ?? value.description
    }
  }
#endif
