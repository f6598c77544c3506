#if SyncServer
  import Foundation
  import JWTKit

  /// A JSON Web Token of an identity provider. (RFC 7519)
  struct WebToken {
    static let secret = Data(repeating: 7, count: 32)

    var header = #"{"alg":"HS256","typ":"JWT"}"#
    /// The claims, as JSON by their names.
    var claims: [String: String]
    var secret = Self.secret

    /// Creates a token with any header and any claims.
    init(header: String, claims: [String: String]) {
      self.header = header
      self.claims = claims
    }

    /// Creates a token that is valid for the audience "library" of the issuer "login".
    init(account: String) {
      claims = [
        "sub": "\"\(account)\"", "exp": "9999999999", "aud": #"["library","other"]"#,
        "iss": #""login""#,
      ]
    }

    /// The text of the token before the signature.
    private var signedPart: String {
      let json = claims.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",")
      return [header, "{\(json)}"].map { Self.base64URL(Data($0.utf8)) }.joined(separator: ".")
    }

    /// Returns the token with a signature by the secret. (HMAC with SHA-256)
    func signed() async throws -> String {
      let keys = JWTKeyCollection()
      await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
      return try signed(with: try await keys.getKey())
    }

    /// Returns the token with the signature of an algorithm, or with an empty one.
    func signed(with algorithm: (any JWTAlgorithm)?) throws -> String {
      let signature = try algorithm?.sign(Data(signedPart.utf8)) ?? []
      return signedPart + "." + Self.base64URL(Data(signature))
    }

    /// The token with an empty signature.
    var withoutSignature: String { signedPart + "." }

    /// The token with the algorithm `none` and an empty signature.
    var unsigned: String {
      var token = self
      token.header = #"{"alg":"none","typ":"JWT"}"#
      return token.withoutSignature
    }

    /// Returns the text of bytes in a token. (RFC 4648, base64url)
    private static func base64URL(_ data: Data) -> String {
      data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
  }
#endif
