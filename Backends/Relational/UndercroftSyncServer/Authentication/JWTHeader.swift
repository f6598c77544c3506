#if SyncServer
  import UndercroftFoundation

  /// The header of a JSON Web Token. (RFC 7515)
  struct JWTHeader: Decodable {
    /// The name of the algorithm, which need not be a known one.
    let algorithm: String
    let hasCriticalExtensions: Bool

    private enum CodingKeys: String, CodingKey {
      case algorithm = "alg"
      case critical = "crit"
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      algorithm = try values.decode(String.self, forKey: .algorithm)
      hasCriticalExtensions = values.contains(.critical)
    }

    /// Reads the first part of a token, or returns `nil` if it is malformed.
    init?(base64URL text: String) {
      guard let data = Data(base64URL: text),
        let header = try? JSONDecoder().decode(Self.self, from: data)
      else { return nil }
      self = header
    }
  }

  extension Data {
    /// Creates data from base64url without padding, or returns `nil` for any other text. (RFC 4648)
    fileprivate init?(base64URL text: String) {
      let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
      self.init(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
    }
  }
#endif
