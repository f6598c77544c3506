// Import Foundation, because FoundationEssentials does not normalise Unicode.
import Foundation

enum PassphraseNormalization {
  /// Returns a passphrase in Unicode normalisation form KC, as in RFC 8265 for passwords.
  ///
  /// Unlike RFC 8265, this function rejects no passphrase.
  static func normal(_ text: String) -> String { text.precomposedStringWithCompatibilityMapping }
}
