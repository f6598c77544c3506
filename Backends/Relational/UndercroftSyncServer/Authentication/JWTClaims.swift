#if SyncServer
  import JWTKit
  import UndercroftFoundation

  /// The claims of a JSON Web Token that the server reads.
  struct JWTClaims: JWTPayload {
    let subject: String
    /// The seconds since 1970 at which the token expires.
    let expiration: Double
    let notBefore: Double?
    let audience: AudienceClaim
    let issuer: String?
    let identifier: String?
    /// The patterns of the scopes that the account may read and change.
    let scopes: [String]
    /// The patterns of the scopes that the account may read.
    let readScopes: [String]

    enum CodingKeys: String, CodingKey {
      case subject = "sub"
      case expiration = "exp"
      case notBefore = "nbf"
      case audience = "aud"
      case issuer = "iss"
      case identifier = "jti"
      case scopes = "scopes"
      case readScopes = "read_scopes"
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      subject = try values.decode(String.self, forKey: .subject)
      expiration = try values.decode(Double.self, forKey: .expiration)
      notBefore = try values.decodeIfPresent(Double.self, forKey: .notBefore)
      audience = try Self.audience(in: values)
      issuer = try values.decodeIfPresent(String.self, forKey: .issuer)
      identifier = try values.decodeIfPresent(String.self, forKey: .identifier)
      scopes = try values.decodeIfPresent([String].self, forKey: .scopes) ?? []
      readScopes = try values.decodeIfPresent([String].self, forKey: .readScopes) ?? []
    }

    /// Returns the audience, which is a string or an array of strings.
    private static func audience(
      in values: KeyedDecodingContainer<CodingKeys>
    ) throws -> AudienceClaim {
      // The initialiser of `AudienceClaim` traps if the array is empty.
      if let list = try? values.decode([String].self, forKey: .audience), list.isEmpty {
        throw DecodingError.dataCorruptedError(
          forKey: .audience, in: values, debugDescription: "the audience is empty")
      }
      return try values.decode(AudienceClaim.self, forKey: .audience)
    }

    /// Does nothing, because ``JWTAuthenticator`` verifies the claims with its own clock.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }
#endif
