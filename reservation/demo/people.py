"""The customers of the demo, who they are and what they write."""

from reservation.demo.shapes import Person

ADMIN = Person("Odile", "Caron")
CUSTOMERS = (  # the first is the one whose password is printed
    Person("Camille", "Moreau"),
    Person("Amandine", "Lefèvre"),
    Person("Bastien", "Roux"),
    Person("Chloé", "Garnier"),
    Person("Djamila", "Benali"),
    Person("Étienne", "Marchand"),
    Person("Fanny", "Chevalier"),
    Person("Guillaume", "Le Goff"),
    Person("Hélène", "Bonnet"),
    Person("Idriss", "Diallo"),
    Person("Jean-Baptiste", "Faure"),
    Person("Karine", "Schmitt"),
    Person("Léa", "Fontaine"),
    Person("Mathilde", "Rousseau"),
    Person("Nicolas", "Payet"),
    Person("Océane", "Hoarau"),
    Person("Pierre", "Lacombe"),
    Person("Quentin", "Dubois"),
    Person("Romane", "Gauthier"),
    Person("Stéphane", "Nguyen"),
    Person("Thérèse", "Blanchard"),
    Person("Ulysse", "Meunier"),
    Person("Valérie", "Da Silva"),
    Person("Wassim", "Haddad"),
    Person("Zoé", "Picard"),
)
COMMENTS = (
    "C'est ma première visite.",
    "J'aurai peut-être cinq minutes de retard.",
    "Je viens avec ma fille.",
    "Prévenez-moi si une place se libère plus tôt, merci !",
    "Je paierai par chèque.",
    "Y a-t-il un parking à proximité ?",
    "Merci de me rappeler la veille.",
)
