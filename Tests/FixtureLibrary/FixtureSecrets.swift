package import Foundation
package import Undercroft

/// The encryption keys with which the encrypted fixtures were written.
package enum FixtureSecrets {
  /// The 32 bytes of the key in every key file.
  package static let keyBytes = Data(0..<32)

  /// The passphrase of the encrypted fixtures.
  ///
  /// It contains a ligature, which Unicode normalisation to the form NFKC replaces with letters.
  package static let passphrase = VaultKey.passphrase("oﬃce hours", logRounds: 4)

  /// Writes the key file `library.key` into a directory, and returns its URL.
  ///
  /// Only the owner can read the file.
  package static func makeKeyFile(in directory: URL) throws -> URL {
    let url = directory.appending(path: "library.key")
    try keyBytes.write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    return url
  }
}
