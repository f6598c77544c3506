package import Foundation
package import Undercroft

/// The keys of the encrypted fixtures.
package enum FixtureSecrets {
  /// The bytes of every key file.
  package static let keyBytes = Data(0..<32)

  /// The passphrase, with a ligature that NFKC normalisation replaces.
  package static let passphrase = VaultKey.passphrase("oﬃce hours", logRounds: 4)

  /// Writes a key file that only its owner can read into a directory.
  package static func makeKeyFile(in directory: URL) throws -> URL {
    let url = directory.appending(path: "library.key")
    try keyBytes.write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    return url
  }
}
