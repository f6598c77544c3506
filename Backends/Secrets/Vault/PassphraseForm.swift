// Foundation, not its essentials: only the former normalises Unicode.
import Foundation

enum PassphraseForm {
  /// Returns the compatibility form KC of a passphrase, as RFC 8265 has it for passwords, without refusing any.
  static func normal(_ text: String) -> String { text.precomposedStringWithCompatibilityMapping }
}
