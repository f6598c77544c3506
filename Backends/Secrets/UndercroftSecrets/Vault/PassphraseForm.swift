// Import Foundation, because FoundationEssentials does not normalise Unicode.
import Foundation

enum PassphraseForm {
  /// Returns a passphrase in Unicode normalisation form KC, as in RFC 8265 for passwords, but
  /// rejects none.
  static func normal(_ text: String) -> String { text.precomposedStringWithCompatibilityMapping }
}
