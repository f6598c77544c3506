package import Foundation
package import Undercroft

/// The keys of the sealed fixtures.
package enum FixtureSecrets {
  /// The bytes of every key file.
  package static let keyBytes = Data(0..<32)

  /// The passphrase, typed with a letter that has another form under NFKC.
  package static let passphrase = VaultKey.passphrase("oﬃce hours", logRounds: 4)

  /// Writes the key file into a directory, readable by its owner alone.
  package static func makeKeyFile(in directory: URL) throws -> URL {
    let url = directory.appending(path: "library.key")
    try keyBytes.write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    return url
  }
}
