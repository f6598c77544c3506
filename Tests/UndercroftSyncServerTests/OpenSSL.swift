#if SyncServer
  import Foundation
  import TestSupport

  /// The program `openssl`, which makes keys and certificates in a folder.
  struct OpenSSL {
    /// The error for a command that did not succeed.
    struct Failure: Error {
      let errors: String
    }

    /// Whether the program is installed.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    let directory: TemporaryDirectory

    init(in directory: TemporaryDirectory) throws {
      self.directory = directory
      // The configuration of the system would add extensions to each certificate.
      try directory.write("[req]\ndistinguished_name=name\n[name]\n", to: "openssl.cnf")
    }

    /// Runs a command to its end.
    func run(_ arguments: [String]) async throws {
      let result = try await Program(at: "/usr/bin/openssl").run(arguments)
      guard result.status == 0 else { throw Failure(errors: result.errors) }
    }

    /// Makes a key, `name.key`, and a certificate for it, `name.pem`, that is valid for two days.
    ///
    /// - Parameters:
    ///   - issuer: the name of the certificate that signs the new one, or `nil` if it signs itself.
    ///   - extensions: the extensions in the syntax of the program.
    func makeCertificate(
      _ name: String, issuer: String? = nil, extensions: String = Self.server
    ) async throws {
      let issuing = issuer.map {
        ["-CA", directory.file($0 + ".pem"), "-CAkey", directory.file($0 + ".key")]
      }
      try await run(
        [
          "req", "-x509", "-config", directory.file("openssl.cnf"), "-newkey", "ec", "-pkeyopt",
          "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=Lending library \(name)",
          "-keyout", directory.file(name + ".key"), "-out", directory.file(name + ".pem"),
          "-addext", extensions,
        ] + (issuing ?? []))
    }

    /// The extension of a server on this computer.
    static let server = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    /// The extension of an authority, which signs other certificates.
    static let authority = "basicConstraints=critical,CA:TRUE"
  }
#endif
