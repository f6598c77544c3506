// Import Foundation, because FoundationEssentials does not normalise Unicode.
import Foundation

enum PassphraseNormalization {
  /// Returns a passphrase in Unicode normalisation form
  /// KC, so that all ways to type it derive the same key.
  ///
  /// Unlike RFC 8265, which specifies the preparation
  /// of passwords, this function rejects no passphrase.
  static func normal(_ text: String) -> String { text.precomposedStringWithCompatibilityMapping }
}
