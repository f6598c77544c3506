// Import Foundation, because FoundationEssentials does not normalise Unicode.
import Foundation

enum PassphraseNormalization {
  /// Returns a passphrase in Unicode normalisation form KC, as in RFC 8265 for passwords, but
  /// rejects none.
  static func normal(_ text: String) -> String { text.precomposedStringWithCompatibilityMapping }
}
