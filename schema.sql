-- All tables: the nine of the specification, and `ressource`, `prestation_ressource`, `mot`,
-- `occurrence`, `ancienne_adresse`, `photo`, `image`, `client`, `code`, `tentative` and
-- `schema_version`.
--
-- The same text works on SQLite and on MySQL or MariaDB. MySQL executes the content of /*! ... */,
-- and SQLite ignores it. SQLite can give the id of a deleted row to a new row. AUTOINCREMENT
-- prevents this in the tables whose ids clients keep. The # before AUTOINCREMENT makes the word a
-- comment on MySQL.
--
-- This file defines new and migrated databases: `reservation migrate` compares a database with
-- this file. Therefore each column, constraint and index begins a line. Each constraint and index
-- has a name that is unique in the file, and a changed constraint keeps its name.
--
-- Instants are seconds since 1970-01-01 UTC. The wall times of semainetype are minutes since local
-- midnight; 1440 is "24:00". Money is in cents. A column that ends in _cle has the text of the
-- column before it without case and accents, for searches.

CREATE TABLE IF NOT EXISTS typeutilisateur (
    id INTEGER PRIMARY KEY NOT NULL,
    nom VARCHAR(20) NOT NULL,
    CONSTRAINT typeutilisateur_nom UNIQUE (nom)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

INSERT INTO typeutilisateur (id, nom) SELECT 1, 'student'
    WHERE NOT EXISTS (SELECT 1 FROM typeutilisateur WHERE id = 1);
INSERT INTO typeutilisateur (id, nom) SELECT 2, 'company'
    WHERE NOT EXISTS (SELECT 1 FROM typeutilisateur WHERE id = 2);
INSERT INTO typeutilisateur (id, nom) SELECT 3, 'admin'
    WHERE NOT EXISTS (SELECT 1 FROM typeutilisateur WHERE id = 3);

-- email is stored in lower case. email_prouve_le is when its holder proved the address, or null. An
-- account without mot_de_passe_hash logs in with codes only. A token issued before jetons_depuis is
-- refused. dernier_jeton_le is when the last token was issued. reinit_empreinte is the digest of a
-- link, which can set a new password until reinit_jusqua. The address of a calendar feed is signed
-- with flux_version: an increment revokes the address.
CREATE TABLE IF NOT EXISTS utilisateur (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT # */ AUTOINCREMENT /*
    */ NOT NULL,
    type_id INTEGER NOT NULL,
    email VARCHAR(254) NOT NULL,
    email_prouve_le BIGINT,
    mot_de_passe_hash VARCHAR(100),
    nom VARCHAR(100) NOT NULL,
    nom_cle VARCHAR(100) NOT NULL,
    prenom VARCHAR(100) NOT NULL,
    date_naissance DATE,
    telephone VARCHAR(40) NOT NULL,
    ecole VARCHAR(200) NOT NULL,
    langue VARCHAR(2) NOT NULL,
    actif BOOLEAN NOT NULL,
    jetons_depuis BIGINT NOT NULL,
    dernier_jeton_le BIGINT NOT NULL,
    reinit_empreinte VARCHAR(64),
    reinit_jusqua BIGINT NOT NULL,
    flux_version INTEGER NOT NULL,
    cree_le BIGINT NOT NULL,
    CONSTRAINT utilisateur_email UNIQUE (email),
    CONSTRAINT utilisateur_type_fk FOREIGN KEY (type_id) REFERENCES typeutilisateur (id),
    CONSTRAINT utilisateur_langue_check CHECK (langue IN ('fr', 'en')),
    CONSTRAINT utilisateur_actif_check CHECK (actif IN (0, 1))
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX utilisateur_nom_cle ON utilisateur (nom_cle);
CREATE INDEX utilisateur_type ON utilisateur (type_id);

-- adresse_courte is the path of the page of the business, such as salon-alice-lyon. metiers has a
-- trade on each line. delai_reservation and delai_annulation are in minutes. The slots up to
-- calendrier_jusqua match the weekly hours and the events; later slots may be outdated. Each change
-- of a calendar first increments calendrier_version. So two changes on different nodes of a cluster
-- conflict: a cluster replicates writes, but not locks. max_a_venir limits the upcoming bookings of
-- a customer; null is no limit. mails_par_jour limits the messages to others; null is the limit of
-- the installation.
CREATE TABLE IF NOT EXISTS entreprise (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    proprietaire_id INTEGER NOT NULL,
    adresse_courte VARCHAR(80) NOT NULL,
    nom VARCHAR(150) NOT NULL,
    nom_cle VARCHAR(150) NOT NULL,
    description TEXT NOT NULL,
    adresse VARCHAR(200) NOT NULL,
    code_postal VARCHAR(10) NOT NULL,
    ville VARCHAR(100) NOT NULL,
    ville_cle VARCHAR(100) NOT NULL,
    telephone VARCHAR(40) NOT NULL,
    email VARCHAR(254) NOT NULL,
    metiers VARCHAR(310) NOT NULL,
    fuseau VARCHAR(64) NOT NULL,
    delai_reservation INTEGER NOT NULL,
    horizon_jours INTEGER NOT NULL,
    delai_annulation INTEGER NOT NULL,
    validation_manuelle BOOLEAN NOT NULL,
    rappel_heures INTEGER NOT NULL,
    max_a_venir INTEGER,
    mails_par_jour INTEGER,
    actif BOOLEAN NOT NULL,
    calendrier_jusqua BIGINT NOT NULL,
    calendrier_version INTEGER NOT NULL,
    flux_version INTEGER NOT NULL,
    version INTEGER NOT NULL,
    cree_le BIGINT NOT NULL,
    CONSTRAINT entreprise_adresse_courte UNIQUE (adresse_courte),
    CONSTRAINT entreprise_proprietaire_fk FOREIGN KEY (proprietaire_id)
        REFERENCES utilisateur (id),
    CONSTRAINT entreprise_delai_reservation_check CHECK (delai_reservation >= 0),
    CONSTRAINT entreprise_horizon_jours_check CHECK (horizon_jours >= 1),
    CONSTRAINT entreprise_delai_annulation_check CHECK (delai_annulation >= 0),
    CONSTRAINT entreprise_rappel_heures_check CHECK (rappel_heures >= 0),
    CONSTRAINT entreprise_max_a_venir_check CHECK (max_a_venir >= 1),
    CONSTRAINT entreprise_mails_par_jour_check CHECK (mails_par_jour >= 0),
    CONSTRAINT entreprise_validation_manuelle_check CHECK (validation_manuelle IN (0, 1)),
    CONSTRAINT entreprise_actif_check CHECK (actif IN (0, 1))
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX entreprise_proprietaire ON entreprise (proprietaire_id);
CREATE INDEX entreprise_ville_cle ON entreprise (ville_cle);
CREATE INDEX entreprise_ville_cle_code_postal ON entreprise (ville_cle, code_postal);

-- The former short addresses of a business, which still lead to its page.
CREATE TABLE IF NOT EXISTS ancienne_adresse (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    entreprise_id INTEGER NOT NULL,
    adresse VARCHAR(80) NOT NULL,
    CONSTRAINT ancienne_adresse_adresse UNIQUE (adresse),
    CONSTRAINT ancienne_adresse_entreprise_fk FOREIGN KEY (entreprise_id)
        REFERENCES entreprise (id)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX ancienne_adresse_entreprise ON ancienne_adresse (entreprise_id);

-- A picture of a business. empreinte is the digest of its content. texte describes the picture for
-- people who cannot see it. Photos are shown in the order of ordre.
CREATE TABLE IF NOT EXISTS photo (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT # */ AUTOINCREMENT /*
    */ NOT NULL,
    entreprise_id INTEGER NOT NULL,
    genre VARCHAR(5) NOT NULL,
    texte VARCHAR(200) NOT NULL,
    ordre INTEGER NOT NULL,
    empreinte VARCHAR(32) NOT NULL,
    largeur INTEGER NOT NULL,
    hauteur INTEGER NOT NULL,
    version INTEGER NOT NULL,
    cree_le BIGINT NOT NULL,
    CONSTRAINT photo_entreprise_fk FOREIGN KEY (entreprise_id) REFERENCES entreprise (id),
    CONSTRAINT photo_genre_check CHECK (genre IN ('photo', 'logo')),
    CONSTRAINT photo_largeur_check CHECK (largeur >= 1),
    CONSTRAINT photo_hauteur_check CHECK (hauteur >= 1)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX photo_entreprise ON photo (entreprise_id);
CREATE INDEX photo_empreinte ON photo (empreinte);

-- The WebP files of a photo. taille is the upper bound of width and height, in pixels.
CREATE TABLE IF NOT EXISTS image (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    photo_id INTEGER NOT NULL,
    taille INTEGER NOT NULL,
    octets MEDIUMBLOB NOT NULL,
    CONSTRAINT image_photo_taille UNIQUE (photo_id, taille),
    CONSTRAINT image_photo_fk FOREIGN KEY (photo_id) REFERENCES photo (id)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

-- A visit can start every intervalle_minutes from the start of an opening, or at every slot if
-- intervalle_minutes is null. tampon_avant and tampon_apres are minutes before and after a visit.
-- duree_max_minutes is the longest duree_minutes that the service ever had.
CREATE TABLE IF NOT EXISTS prestation (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    entreprise_id INTEGER NOT NULL,
    nom VARCHAR(150) NOT NULL,
    nom_cle VARCHAR(150) NOT NULL,
    categorie VARCHAR(100) NOT NULL,
    description TEXT NOT NULL,
    duree_minutes INTEGER NOT NULL,
    duree_max_minutes INTEGER NOT NULL,
    tampon_avant INTEGER NOT NULL,
    tampon_apres INTEGER NOT NULL,
    intervalle_minutes INTEGER,
    prix_centimes INTEGER NOT NULL,
    lieu_requis BOOLEAN NOT NULL,
    actif BOOLEAN NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT prestation_entreprise_fk FOREIGN KEY (entreprise_id) REFERENCES entreprise (id),
    CONSTRAINT prestation_duree_minutes_check CHECK (duree_minutes >= 1),
    CONSTRAINT prestation_duree_max_minutes_check CHECK (duree_max_minutes >= duree_minutes),
    CONSTRAINT prestation_tampon_avant_check CHECK (tampon_avant >= 0),
    CONSTRAINT prestation_tampon_apres_check CHECK (tampon_apres >= 0),
    CONSTRAINT prestation_intervalle_minutes_check CHECK (intervalle_minutes >= 1),
    CONSTRAINT prestation_prix_centimes_check CHECK (prix_centimes >= 0),
    CONSTRAINT prestation_lieu_requis_check CHECK (lieu_requis IN (0, 1)),
    CONSTRAINT prestation_actif_check CHECK (actif IN (0, 1))
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX prestation_entreprise ON prestation (entreprise_id);
CREATE INDEX prestation_duree_max_minutes ON prestation (duree_max_minutes);

-- The words of all businesses, for searches. envers is texte backwards. racine is the stem of the
-- word, see lib/french.py. Once a day, the worker removes the words that no business has any more.
CREATE TABLE IF NOT EXISTS mot (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    texte VARCHAR(30) NOT NULL,
    envers VARCHAR(30) NOT NULL,
    racine VARCHAR(30) NOT NULL,
    CONSTRAINT mot_texte UNIQUE (texte)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX mot_envers ON mot (envers);
CREATE INDEX mot_racine ON mot (racine);

-- The words of each active business and of its active services. mot is a word, or a prefix and a
-- whole name: `e:` of the business, `m:` of a trade, `s:` of a service. rang says where the word is,
-- see storage/words.py.
CREATE TABLE IF NOT EXISTS occurrence (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    entreprise_id INTEGER NOT NULL,
    mot VARCHAR(60) NOT NULL,
    rang INTEGER NOT NULL,
    CONSTRAINT occurrence_entreprise_mot UNIQUE (entreprise_id, mot),
    CONSTRAINT occurrence_entreprise_fk FOREIGN KEY (entreprise_id) REFERENCES entreprise (id)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX occurrence_mot_rang ON occurrence (mot, rang, entreprise_id);

-- A person or a room. Each has its own calendar. The first ressource of a business stands for the
-- business; its name is '' until another is added. A ressource has the weekly hours of the business,
-- or its own if semaine_propre is 1. utilisateur is the account that manages this calendar. If
-- several persons or rooms are equally suitable for a visit, the first by ordre is chosen.
CREATE TABLE IF NOT EXISTS ressource (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    entreprise_id INTEGER NOT NULL,
    genre VARCHAR(8) NOT NULL,
    nom VARCHAR(100) NOT NULL,
    description TEXT NOT NULL,
    ordre INTEGER NOT NULL,
    semaine_propre BOOLEAN NOT NULL,
    actif BOOLEAN NOT NULL,
    utilisateur_id INTEGER,
    flux_version INTEGER NOT NULL,
    version INTEGER NOT NULL,
    cree_le BIGINT NOT NULL,
    CONSTRAINT ressource_entreprise_utilisateur UNIQUE (entreprise_id, utilisateur_id),
    CONSTRAINT ressource_entreprise_fk FOREIGN KEY (entreprise_id) REFERENCES entreprise (id),
    CONSTRAINT ressource_utilisateur_fk FOREIGN KEY (utilisateur_id) REFERENCES utilisateur (id),
    CONSTRAINT ressource_genre_check CHECK (genre IN ('personne', 'lieu')),
    CONSTRAINT ressource_semaine_propre_check CHECK (semaine_propre IN (0, 1)),
    CONSTRAINT ressource_actif_check CHECK (actif IN (0, 1))
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX ressource_utilisateur ON ressource (utilisateur_id);

-- The persons who can perform a service, and its rooms. Every person can if no person is listed,
-- and every room is possible if no room is listed.
CREATE TABLE IF NOT EXISTS prestation_ressource (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    prestation_id INTEGER NOT NULL,
    ressource_id INTEGER NOT NULL,
    CONSTRAINT prestation_ressource_prestation_ressource UNIQUE (prestation_id, ressource_id),
    CONSTRAINT prestation_ressource_prestation_fk FOREIGN KEY (prestation_id)
        REFERENCES prestation (id),
    CONSTRAINT prestation_ressource_ressource_fk FOREIGN KEY (ressource_id)
        REFERENCES ressource (id)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX prestation_ressource_ressource ON prestation_ressource (ressource_id);

-- The weekly hours of the business, or of a ressource. jour 1 is Monday. If fin is not after debut,
-- fin is on the next day.
CREATE TABLE IF NOT EXISTS semainetype (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    entreprise_id INTEGER NOT NULL,
    ressource_id INTEGER,
    jour INTEGER NOT NULL,
    debut INTEGER NOT NULL,
    fin INTEGER NOT NULL,
    pas_minutes INTEGER NOT NULL,
    capacite INTEGER NOT NULL,
    prestation_id INTEGER,
    CONSTRAINT semainetype_entreprise_jour_debut UNIQUE (entreprise_id, ressource_id, jour, debut),
    CONSTRAINT semainetype_entreprise_fk FOREIGN KEY (entreprise_id)
        REFERENCES entreprise (id),
    CONSTRAINT semainetype_ressource_fk FOREIGN KEY (ressource_id) REFERENCES ressource (id),
    CONSTRAINT semainetype_prestation_fk FOREIGN KEY (prestation_id)
        REFERENCES prestation (id),
    CONSTRAINT semainetype_jour_check CHECK (jour BETWEEN 1 AND 7),
    CONSTRAINT semainetype_debut_check CHECK (debut BETWEEN 0 AND 1439),
    CONSTRAINT semainetype_fin_check CHECK (fin BETWEEN 0 AND 1440),
    CONSTRAINT semainetype_pas_minutes_check CHECK (pas_minutes >= 1),
    CONSTRAINT semainetype_capacite_check CHECK (capacite >= 1)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX semainetype_ressource ON semainetype (ressource_id);
CREATE INDEX semainetype_prestation ON semainetype (prestation_id);

-- Dated events of the business, or of a ressource: a fermeture closes, an ouverture adds opening
-- hours, horaires replace the weekly hours of a day, an information does not change the calendar.
-- horaires of the business do not concern the days off of a ressource with its own weekly hours.
-- portee_jours is the length in days, rounded up to a power of two. A list reads the events of each
-- portee_jours separately, because then it knows how early an event in progress can have begun.
CREATE TABLE IF NOT EXISTS evenement (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT # */ AUTOINCREMENT /*
    */ NOT NULL,
    entreprise_id INTEGER NOT NULL,
    ressource_id INTEGER,
    type VARCHAR(12) NOT NULL,
    titre VARCHAR(150) NOT NULL,
    description TEXT NOT NULL,
    debut BIGINT NOT NULL,
    fin BIGINT NOT NULL,
    portee_jours INTEGER NOT NULL,
    pas_minutes INTEGER,
    capacite INTEGER,
    version INTEGER NOT NULL,
    CONSTRAINT evenement_entreprise_fk FOREIGN KEY (entreprise_id) REFERENCES entreprise (id),
    CONSTRAINT evenement_ressource_fk FOREIGN KEY (ressource_id) REFERENCES ressource (id),
    CONSTRAINT evenement_type_check
        CHECK (type IN ('fermeture', 'ouverture', 'horaires', 'information')),
    CONSTRAINT evenement_debut_check CHECK (debut < fin),
    CONSTRAINT evenement_portee_jours_check CHECK (fin - debut <= portee_jours * 86400),
    CONSTRAINT evenement_pas_minutes_check CHECK (pas_minutes >= 1),
    CONSTRAINT evenement_capacite_check CHECK (capacite >= 1)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX evenement_entreprise_fin ON evenement (entreprise_id, fin);
CREATE INDEX evenement_entreprise_debut ON evenement (entreprise_id, debut);
CREATE INDEX evenement_ressource ON evenement (ressource_id);
CREATE INDEX evenement_portee_jours_debut ON evenement (portee_jours, debut);

-- A slot [debut, fin). The slots of a ressource never overlap. ouverture is the start of the opening
-- that contains the slot; the intervalle_minutes of services count from it. capacite_prevue is the
-- planned capacity. capacite is higher only while more places are taken than planned.
CREATE TABLE IF NOT EXISTS creneau (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT # */ AUTOINCREMENT /*
    */ NOT NULL,
    ressource_id INTEGER NOT NULL,
    debut BIGINT NOT NULL,
    fin BIGINT NOT NULL,
    ouverture BIGINT NOT NULL,
    capacite INTEGER NOT NULL,
    capacite_prevue INTEGER NOT NULL,
    places_prises INTEGER NOT NULL,
    ouvert BOOLEAN NOT NULL,
    prestation_id INTEGER,
    CONSTRAINT creneau_ressource_debut UNIQUE (ressource_id, debut),
    CONSTRAINT creneau_ressource_fk FOREIGN KEY (ressource_id) REFERENCES ressource (id),
    CONSTRAINT creneau_prestation_fk FOREIGN KEY (prestation_id) REFERENCES prestation (id),
    CONSTRAINT creneau_debut_check CHECK (debut < fin),
    CONSTRAINT creneau_capacite_prevue_check CHECK (capacite_prevue BETWEEN 0 AND capacite),
    CONSTRAINT creneau_places_prises_check CHECK (places_prises BETWEEN 0 AND capacite),
    CONSTRAINT creneau_ouvert_check CHECK (ouvert IN (0, 1))
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX creneau_prestation ON creneau (prestation_id);

-- What a business records about a customer. utilisateur is the account that booked there or proved
-- the e-mail address, or null. If suit_compte is 1, email, nom, prenom and telephone are copied from
-- the account again when they change there; otherwise the owner wrote them. email is '' if unknown.
-- nom_cle is the text of nom and prenom without case and accents. telephone_cle has the digits of
-- telephone, in the national form (06…) if the number is French. If bloque is 1, the customer cannot
-- book online.
CREATE TABLE IF NOT EXISTS client (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT # */ AUTOINCREMENT /*
    */ NOT NULL,
    entreprise_id INTEGER NOT NULL,
    utilisateur_id INTEGER,
    email VARCHAR(254) NOT NULL,
    nom VARCHAR(100) NOT NULL,
    nom_cle VARCHAR(201) NOT NULL,
    prenom VARCHAR(100) NOT NULL,
    telephone VARCHAR(40) NOT NULL,
    telephone_cle VARCHAR(40) NOT NULL,
    suit_compte BOOLEAN NOT NULL,
    note TEXT NOT NULL,
    bloque BOOLEAN NOT NULL,
    version INTEGER NOT NULL,
    cree_le BIGINT NOT NULL,
    CONSTRAINT client_entreprise_utilisateur UNIQUE (entreprise_id, utilisateur_id),
    CONSTRAINT client_entreprise_fk FOREIGN KEY (entreprise_id) REFERENCES entreprise (id),
    CONSTRAINT client_utilisateur_fk FOREIGN KEY (utilisateur_id) REFERENCES utilisateur (id),
    CONSTRAINT client_suit_compte_check CHECK (suit_compte IN (0, 1)),
    CONSTRAINT client_bloque_check CHECK (bloque IN (0, 1))
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX client_utilisateur ON client (utilisateur_id);
CREATE INDEX client_email ON client (email);
CREATE INDEX client_entreprise_email ON client (entreprise_id, email);
CREATE INDEX client_entreprise_telephone_cle ON client (entreprise_id, telephone_cle);
CREATE INDEX client_entreprise_nom_cle ON client (entreprise_id, nom_cle);

-- ressource is the person who performs the visit. lieu is the room of the visit, or null. creneau is
-- the first slot of the visit, or null if the slot was deleted after a cancellation. The visit is
-- [debut, fin). [occupe_debut, occupe_fin) is the visit with the buffers that the service had at the
-- time of booking. prix_centimes is the price of a place at that time. titulaire is the account of
-- the client, copied for lists. demandeur is the account that sent the booking request, or null
-- after its erasure. cle_idempotence is the key of that request, and empreinte its digest.
CREATE TABLE IF NOT EXISTS reservation (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    client_id INTEGER NOT NULL,
    titulaire_id INTEGER,
    demandeur_id INTEGER,
    entreprise_id INTEGER NOT NULL,
    prestation_id INTEGER NOT NULL,
    ressource_id INTEGER NOT NULL,
    lieu_id INTEGER,
    creneau_id INTEGER,
    debut BIGINT NOT NULL,
    fin BIGINT NOT NULL,
    occupe_debut BIGINT NOT NULL,
    occupe_fin BIGINT NOT NULL,
    places INTEGER NOT NULL,
    prix_centimes INTEGER NOT NULL,
    statut VARCHAR(10) NOT NULL,
    commentaire TEXT NOT NULL,
    cle_idempotence VARCHAR(100),
    empreinte VARCHAR(64),
    version INTEGER NOT NULL,
    cree_le BIGINT NOT NULL,
    modifie_le BIGINT NOT NULL,
    CONSTRAINT reservation_demandeur_cle UNIQUE (demandeur_id, cle_idempotence),
    CONSTRAINT reservation_client_fk FOREIGN KEY (client_id) REFERENCES client (id),
    CONSTRAINT reservation_titulaire_fk FOREIGN KEY (titulaire_id) REFERENCES utilisateur (id),
    CONSTRAINT reservation_demandeur_fk FOREIGN KEY (demandeur_id) REFERENCES utilisateur (id),
    CONSTRAINT reservation_entreprise_fk FOREIGN KEY (entreprise_id)
        REFERENCES entreprise (id),
    CONSTRAINT reservation_prestation_fk FOREIGN KEY (prestation_id)
        REFERENCES prestation (id),
    CONSTRAINT reservation_ressource_fk FOREIGN KEY (ressource_id) REFERENCES ressource (id),
    CONSTRAINT reservation_lieu_fk FOREIGN KEY (lieu_id) REFERENCES ressource (id),
    CONSTRAINT reservation_creneau_fk FOREIGN KEY (creneau_id)
        REFERENCES creneau (id) ON DELETE SET NULL,
    CONSTRAINT reservation_debut_check CHECK (debut < fin),
    CONSTRAINT reservation_occupe_debut_check
        CHECK (occupe_debut <= debut AND fin <= occupe_fin),
    CONSTRAINT reservation_places_check CHECK (places >= 1),
    CONSTRAINT reservation_prix_centimes_check CHECK (prix_centimes >= 0),
    CONSTRAINT reservation_statut_check
        CHECK (statut IN ('demandee', 'confirmee', 'refusee', 'annulee', 'honoree', 'absente'))
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX reservation_titulaire_debut ON reservation (titulaire_id, debut);
CREATE INDEX reservation_client_debut ON reservation (client_id, debut);
CREATE INDEX reservation_entreprise_debut ON reservation (entreprise_id, debut);
CREATE INDEX reservation_entreprise_statut_debut ON reservation (entreprise_id, statut, debut);
CREATE INDEX reservation_ressource_debut ON reservation (ressource_id, debut);
CREATE INDEX reservation_lieu_debut ON reservation (lieu_id, debut);
CREATE INDEX reservation_statut_debut ON reservation (statut, debut);
CREATE INDEX reservation_debut ON reservation (debut);
CREATE INDEX reservation_prestation ON reservation (prestation_id);
CREATE INDEX reservation_creneau ON reservation (creneau_id);

-- The outbox: one row for each message, sent after its transaction is committed. ressource is the
-- person of the visit at the time when the message was queued. debut, fin and sequence are copied
-- from the booking at that time. message is a text of the owner, or the language of a message
-- without a booking. sujet, corps and piece_jointe are filled when the message is sent. While statut
-- is 'envoi', prochain_essai is the end of the lease. A held message ('retenu') was queued before a
-- restore, exceeds a limit, or waits until the owner has proven the address of the account;
-- derniere_erreur names the limit or the missing proof. destinataire is '' if the customer has no
-- address.
CREATE TABLE IF NOT EXISTS eventemail (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    reservation_id INTEGER,
    entreprise_id INTEGER,
    ressource_id INTEGER,
    genre VARCHAR(20) NOT NULL,
    destinataire VARCHAR(254) NOT NULL,
    message VARCHAR(1000),
    debut BIGINT,
    fin BIGINT,
    sequence INTEGER NOT NULL,
    sujet VARCHAR(250) NOT NULL,
    corps TEXT NOT NULL,
    piece_jointe TEXT,
    statut VARCHAR(10) NOT NULL,
    essais INTEGER NOT NULL,
    prochain_essai BIGINT NOT NULL,
    derniere_erreur VARCHAR(500),
    envoye_le BIGINT,
    cree_le BIGINT NOT NULL,
    CONSTRAINT eventemail_reservation_fk FOREIGN KEY (reservation_id)
        REFERENCES reservation (id),
    CONSTRAINT eventemail_entreprise_fk FOREIGN KEY (entreprise_id) REFERENCES entreprise (id),
    CONSTRAINT eventemail_ressource_fk FOREIGN KEY (ressource_id) REFERENCES ressource (id),
    CONSTRAINT eventemail_statut_check
        CHECK (statut IN ('attente', 'envoi', 'envoye', 'abandonne', 'retenu')),
    CONSTRAINT eventemail_essais_check CHECK (essais >= 0)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

CREATE INDEX eventemail_statut_prochain_essai ON eventemail (statut, prochain_essai);
CREATE INDEX eventemail_reservation ON eventemail (reservation_id);
CREATE INDEX eventemail_destinataire ON eventemail (destinataire);
CREATE INDEX eventemail_statut ON eventemail (statut);
CREATE INDEX eventemail_entreprise_statut ON eventemail (entreprise_id, statut);
CREATE INDEX eventemail_ressource_statut ON eventemail (ressource_id, statut);

-- The code of six digits that was last sent to an address. cle is the SHA-256 digest of the address.
-- empreinte is a digest of the code, made with a key of the installation. The code expires at
-- jusqua.
CREATE TABLE IF NOT EXISTS code (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    cle VARCHAR(64) NOT NULL,
    empreinte VARCHAR(64) NOT NULL,
    essais INTEGER NOT NULL,
    jusqua BIGINT NOT NULL,
    CONSTRAINT code_cle UNIQUE (cle),
    CONSTRAINT code_essais_check CHECK (essais >= 0)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

-- Limited attempts, such as failed logins, requests for codes and messages. cle is the SHA-256 digest
-- of the purpose and of what is counted: an e-mail address, a client network, an account, a business,
-- or two of these. nombre is the number of attempts
-- since depuis. No attempt is allowed before bloque_jusqua. Rows are deleted after a day.
CREATE TABLE IF NOT EXISTS tentative (
    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */ NOT NULL,
    cle VARCHAR(64) NOT NULL,
    nombre INTEGER NOT NULL,
    depuis BIGINT NOT NULL,
    bloque_jusqua BIGINT NOT NULL,
    CONSTRAINT tentative_cle UNIQUE (cle),
    CONSTRAINT tentative_nombre_check CHECK (nombre >= 1)
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;

-- One row for each applied migration, and for the first version of the database. The version of the
-- database is the highest version whose termine_le is not null. A row without termine_le is a
-- migration or a restore that has not ended. sauvegarde_le is when the last backup was completed.
CREATE TABLE IF NOT EXISTS schema_version (
    version INTEGER PRIMARY KEY NOT NULL,
    nom VARCHAR(200) NOT NULL,
    termine_le BIGINT,
    sauvegarde_le BIGINT
) /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;
