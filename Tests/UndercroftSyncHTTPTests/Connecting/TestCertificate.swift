#if SyncHTTP
  import NIOSSL
  import UndercroftFoundation

  /// A certificate for `127.0.0.1` and `localhost` that no system trusts, valid from 2020 to 2120.
  enum TestCertificate {
    /// Returns the configuration of a server with the certificate.
    static func context() throws -> NIOSSLContext {
      let certificates = try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))
      return try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: certificates.map { .certificate($0) },
          privateKey: .privateKey(NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))))
    }

    static let pem = """
      -----BEGIN CERTIFICATE-----
      MIIBhzCCAS2gAwIBAgIBATAKBggqhkjOPQQDAjAkMSIwIAYDVQQDDBlUZXN0IG9m
      IGEgbGVuZGluZyBsaWJyYXJ5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAw
      MDAwWjAkMSIwIAYDVQQDDBlUZXN0IG9mIGEgbGVuZGluZyBsaWJyYXJ5MFkwEwYH
      KoZIzj0CAQYIKoZIzj0DAQcDQgAEEaxpkTR1bcst1svDzaYj6EBn1NwabtHerAkz
      uaudYmjXC7dCLXxm36PPvc3hBSzR9Fc7iNqvYPnmAevxmzoUZ6NOMEwwDwYDVR0T
      AQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwHQYDVR0OBBYE
      FN+vZVS9CX2/a0lvaE5Mw8wVRpd+MAoGCCqGSM49BAMCA0gAMEUCID3Fdwien1Nq
      2GJEotWh3MVcowIDsshSlgtQTq/LYSPvAiEAvEy0NidhnfAL8IRjC+PbHHFQj5SO
      5e3f4kcgcfkrebI=
      -----END CERTIFICATE-----
      """

    /// The key of the certificate, which protects nothing.
    private static let key = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjSpSlJ8E00y+Ikfb
      sb3yRgZ0FBzShoxaqToUL+alSg+hRANCAAQRrGmRNHVtyy3Wy8PNpiPoQGfU3Bpu
      0d6sCTO5q51iaNcLt0ItfGbfo8+9zeEFLNH0VzuI2q9g+eYB6/GbOhRn
      -----END PRIVATE KEY-----
      """
  }
#endif
