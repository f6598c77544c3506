#if SyncServer
  import Foundation
  import JWTKit
  import TestSupport
  import UndercroftSyncServer

  /// A service that issues JSON Web Tokens with a new key.
  struct IdentityProvider {
    /// The forms of the file with the key for the server.
    enum KeyForm: CaseIterable, Sendable {
      case secret, ellipticCurve, rsa, keySet
    }

    let algorithm: JWTAlgorithmName
    /// The contents of the file with the key for the server.
    let keyFile: String
    private let header: String
    private let signer: any JWTAlgorithm

    init(_ form: KeyForm, _ openSSL: OpenSSL) async throws {
      let keys = JWTKeyCollection()
      switch form {
      case .secret:
        keyFile = UUID().uuidString
        algorithm = .hs256
        await keys.add(hmac: HMACKey(from: keyFile), digestAlgorithm: .sha256)
      case .ellipticCurve, .keySet:
        let key = ES256PrivateKey()
        keyFile = form == .keySet ? Self.keySet(key) : key.publicKey.pemRepresentation
        algorithm = .es256
        await keys.add(ecdsa: key)
      case .rsa:
        let directory = openSSL.directory
        try await openSSL.run([
          "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out",
          directory.file("rsa.key"),
        ])
        try await openSSL.run([
          "pkey", "-in", directory.file("rsa.key"), "-pubout", "-out", directory.file("rsa.pub"),
        ])
        keyFile = try directory.read("rsa.pub")
        algorithm = .rs256
        await keys.add(
          rsa: try Insecure.RSA.PrivateKey(pem: try directory.read("rsa.key")),
          digestAlgorithm: .sha256)
      }
      signer = try await keys.getKey()
      let identifier = form == .keySet ? #","kid":"library""# : ""
      header = #"{"alg":"\#(algorithm.rawValue)"\#(identifier)}"#
    }

    private static func keySet(_ key: ES256PrivateKey) -> String {
      let (x, y) = (key.parameters?.x ?? "", key.parameters?.y ?? "")
      return """
        {"keys":[{"kty":"EC","kid":"library","alg":"ES256","crv":"P-256","x":"\(x)","y":"\(y)"}]}
        """
    }

    /// Returns a token of the account "ann" with changed claims.
    func token(_ changes: [String: String?] = [:]) throws -> String {
      try WebToken(header: header, claims: Self.claims(changes)).signed(with: signer)
    }

    /// Returns a token whose header states another algorithm.
    ///
    /// - Parameter secret: the secret of the signature, or `nil` for an empty signature.
    func token(stating algorithm: String, secret: String?) async throws -> String {
      let keys = JWTKeyCollection()
      if let secret { await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256) }
      return try WebToken(
        header: header.replacing(self.algorithm.rawValue, with: algorithm),
        claims: Self.claims()
      ).signed(with: secret == nil ? nil : try await keys.getKey())
    }

    private static func claims(_ changes: [String: String?] = [:]) -> [String: String] {
      let now = Int(Date().timeIntervalSince1970)
      var claims = [
        "sub": #""ann""#, "exp": "\(now + 3_600)", "aud": #""library""#, "iss": #""login""#,
      ]
      for (name, value) in changes { claims[name] = value }
      return claims
    }
  }
#endif
